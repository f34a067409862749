// SPDX-License-Identifier: LGPL-2.1-or-later
/// The kinds of properties there are.
#pragma once
#include "cli/row.hpp"

namespace nmib::cli::kind
{

extern const Kind readonly, readonly_boolean, text, boolean, ternary, number, enumeration, mtu; // scalar.cpp
extern const Kind mac, p_key;                                                                   // infiniband.cpp
extern const Kind list, objects;                                                                // list.cpp
extern const Kind uuid, type, permissions, metered, method, gateway, pac_script;                // special.cpp
extern const Kind feature, ring, fec;                                                           // ethtool.cpp

extern const ObjectOps addresses, routes, rules, vfs, qdiscs, tfilters; // objects.cpp, routes.cpp

/// As libnm's own conversion shows the value.
std::string get_text(const Row &row, NMSetting *setting, Style style);
/// Back to the default.
void reset(NMSetting *setting, const char *name);
bool is_default(NMSetting *setting, const char *name);
/// The words of an enum or flags type, for a message.
std::string enum_words(GType enum_or_flags);

} // namespace nmib::cli::kind
