// SPDX-License-Identifier: LGPL-2.1-or-later
#include "dispatch/told.hpp"

#include "apply/state.hpp"
#include "core/printable.hpp"

namespace nmib
{

ToldLines read_told(const std::string &state, int ifindex, const std::string &uuid)
{
    const auto dir = Dir::open(state);
    const auto text = dir ? dir->read(state_file(state_told, ifindex), 65536) : Result<std::string>(dir.error());
    const bool same = text && text->starts_with(printable(uuid) + "\n");
    return same ? ToldLines::parse(*text) : ToldLines();
}

void keep_told(const std::string &state, int ifindex, const std::string &uuid, const ToldLines &told)
{
    if (told == read_told(state, ifindex, uuid)) return;
    (void)keep_state(state, state_told, ifindex, printable(uuid) + "\n" + told.str());
}

} // namespace nmib
