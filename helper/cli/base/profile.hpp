// SPDX-License-Identifier: LGPL-2.1-or-later
/// Profiles as keyfiles, the way `nmcli --offline` reads and writes them.
#pragma once
#include "cli/base/gobject.hpp"
#include "cli/base/words.hpp"
#include "core/base/result.hpp"

#include <NetworkManager.h>
#include <optional>

namespace nmib::cli
{

/// Everything on standard input; nothing where it cannot be read, or is larger than any profile.
std::optional<std::string> read_input();
Result<Object<NMConnection>> parse_keyfile(const std::string &text);
/// An independent one.
Object<NMConnection> copy_of(NMConnection *connection);
/// A copy as NetworkManager will have it; why it will not, otherwise.
Result<Object<NMConnection>> normalized(NMConnection *connection);
/// Verifies and normalises the profile; its text.
Result<std::string> to_keyfile(NMConnection *connection);
/// That goes to standard output, in UTF-8 whatever the locale.
std::optional<Failure> print_keyfile(NMConnection *connection);

} // namespace nmib::cli
