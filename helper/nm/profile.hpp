// SPDX-License-Identifier: LGPL-2.1-or-later
/// Profiles as keyfiles, like in `nmcli --offline`.
#pragma once
#include "core/base/result.hpp"
#include "core/rdma/words.hpp"
#include "terminal/glib.hpp"
#include "terminal/words.hpp"

#include <NetworkManager.h>
#include <optional>

namespace nmib::cli
{

/// Reads standard input; nothing if unreadable or larger than 16 MiB.
std::optional<std::string> read_input();
Result<Object<NMConnection>> parse_keyfile(const std::string &text);
Object<NMConnection> copy_of(NMConnection *connection);
/// Returns a copy, normalised as by NetworkManager. Error: why NetworkManager will refuse the profile.
Result<Object<NMConnection>> normalized(NMConnection *connection);
/// Verifies and normalises the profile. Returns the text of the keyfile.
Result<std::string> to_keyfile(NMConnection *connection);
/// Prints the result of to_keyfile() on standard output, in UTF-8 in every locale.
Status print_keyfile(NMConnection *connection);

/// Returns true if the profile has connection.permissions: nm-ib refuses the rdma.* words then.
bool is_private_profile(NMConnection *connection);
/// Reads the rdma.* words of a profile.
Result<RdmaWordsRead> rdma_words_of(NMConnection *connection);

} // namespace nmib::cli
