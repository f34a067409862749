// SPDX-License-Identifier: LGPL-2.1-or-later
#include "apply/plan/state.hpp"

#include "apply/base/file.hpp"

namespace nmib
{

namespace
{
/// Only a ceiling is read by other users (nm-ib plan). The others hold names of profiles.
unsigned file_mode(std::string_view kind) { return kind == state_mtu ? 0644 : 0600; }
} // namespace

Result<void> keep_state(const std::string &state, std::string_view kind, const IfName &name, int ifindex,
                        const std::string &text)
{
    const auto dir = make_dir(state);
    return dir ? write_file(*dir, state_file(kind, name), std::to_string(ifindex) + "\n" + text, file_mode(kind))
               : dir.error();
}

Result<void> keep_state(const std::string &state, std::string_view kind, int ifindex, const std::string &text)
{
    const auto dir = make_dir(state);
    return dir ? write_file(*dir, state_file(kind, ifindex), text, file_mode(kind)) : dir.error();
}

} // namespace nmib
