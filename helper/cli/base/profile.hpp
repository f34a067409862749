// SPDX-License-Identifier: LGPL-2.1-or-later
/// Profiles as keyfiles, the way `nmcli --offline` reads and writes them.
#pragma once
#include "cli/base/gobject.hpp"
#include "cli/base/words.hpp"
#include "core/result.hpp"

#include <NetworkManager.h>
#include <optional>
#include <variant>

namespace nmib::cli
{

/// Everything on standard input.
std::variant<std::string, Failure> read_input();
Result<Object<NMConnection>> parse_keyfile(const std::string &text);
/// An independent one.
Object<NMConnection> copy_of(NMConnection *connection);
/// A copy as NetworkManager will have it; why it will not, otherwise.
Result<Object<NMConnection>> normalized(NMConnection *connection);
/// Verifies and normalises the profile; its text.
Result<std::string> to_keyfile(NMConnection *connection);
/// That goes to standard output, in UTF-8 whatever the locale.
std::optional<Failure> print_keyfile(NMConnection *connection);
/// A name no other profile has: `wanted`, `wanted-1`, ...
template<class Taken> std::string free_name(const std::string &wanted, const Taken &taken)
{
    auto name = wanted;
    for (unsigned n = 1; taken(name); n++) name = wanted + "-" + std::to_string(n);
    return name;
}

} // namespace nmib::cli
