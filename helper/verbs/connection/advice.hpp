// SPDX-License-Identifier: LGPL-2.1-or-later
/// Warnings about InfiniBand that nmcli does not give.
#pragma once
#include "core/rdma/words.hpp"
#include "nm/profiles.hpp"
#include "nm/property_words.hpp"
#include "terminal/glib.hpp"

#include <NetworkManager.h>

namespace nmib::cli
{

/// A profile before it is saved, and the words that made or changed the profile.
struct Draft {
    Object<NMConnection> connection;
    PropertyWords typed;
    bool offline;
    std::optional<RdmaValues> rdma{}; ///< all rdma.* words to save; unset if none were typed

    NMSettingConnection *base() const { return nm_connection_get_setting_connection(connection.get()); }
    NMSettingInfiniband *infiniband() const { return nm_connection_get_setting_infiniband(connection.get()); }
    const char *interface_name() const { return nm_setting_connection_get_interface_name(base()); }
};

struct Advice {
    Words warnings{}; ///< requests of the profile that fail or work differently
    Words notes{};    ///< changes by quirks
};

/// Checks the draft without changing it. `profiles` is null offline.
Advice advise(const Draft &draft, const Profiles *profiles, const Options &options);

/// Prints the advice on standard error. With `strict`, warnings are a failure.
Status print_advice(const Advice &advice, bool strict);

} // namespace nmib::cli
