// SPDX-License-Identifier: LGPL-2.1-or-later
#include "dispatch/told.hpp"

#include "apply/state.hpp"
#include "core/printable.hpp"

namespace nmib
{

ToldLines read_told(const std::string &state, const LinkRow &link, const std::string &uuid)
{
    const auto text = read_state(state, state_told, *link.name, link.ifindex);
    const bool same = text && text->starts_with(printable(uuid) + "\n");
    return same ? ToldLines::parse(*text) : ToldLines();
}

void keep_told(const std::string &state, const LinkRow &link, const std::string &uuid, const ToldLines &told)
{
    if (told == read_told(state, link, uuid)) return;
    (void)keep_state(state, state_told, *link.name, link.ifindex, printable(uuid) + "\n" + told.str());
}

} // namespace nmib
