// SPDX-License-Identifier: LGPL-2.1-or-later
#include "apply/state.hpp"

#include "apply/file.hpp"

namespace nmib
{

Result<void> keep_state(const std::string &state, std::string_view kind, const IfName &name, int ifindex,
                        const std::string &text)
{
    const auto dir = make_dir(state);
    return dir ? write_file(*dir, state_file(kind, name), std::to_string(ifindex) + "\n" + text) : dir.error();
}

Result<void> keep_state(const std::string &state, std::string_view kind, int ifindex, const std::string &text)
{
    const auto dir = make_dir(state);
    return dir ? write_file(*dir, state_file(kind, ifindex), text) : dir.error();
}

} // namespace nmib
