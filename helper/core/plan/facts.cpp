// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/plan/facts.hpp"

#include <algorithm>
#include <utility>

namespace nmib
{

const Link *Facts::find(int ifindex) const noexcept
{
    const auto it =
        std::lower_bound(links.begin(), links.end(), ifindex, [](const Link &l, int i) { return l.ifindex < i; });
    return it != links.end() && it->ifindex == ifindex ? &*it : nullptr;
}

Link *Facts::find(int ifindex) noexcept { return const_cast<Link *>(std::as_const(*this).find(ifindex)); }

const Link *Facts::root(const Link &link) const noexcept { return link.is_child() ? find(link.parent) : &link; }

void Facts::sort()
{
    std::sort(links.begin(), links.end(), [](const Link &a, const Link &b) { return a.ifindex < b.ifindex; });
}

} // namespace nmib
