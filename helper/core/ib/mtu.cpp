// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/ib/mtu.hpp"

#include <algorithm>
#include <array>

namespace nmib::mtu
{

namespace
{
// include/rdma/ib_verbs.h, enum ib_mtu and opa_mtu, minus the encapsulation.
constexpr std::array<Mtu, 7> datagram = {10236, 8188, 4092, 2044, 1020, 508, 252};
// ipoib_cm.c, ipoib_cm_dev_init: min(16, max_srq_sge) pages minus 16 bytes, with 4 KiB pages.
constexpr auto connected = [] {
    std::array<Mtu, 16> a{};
    for (std::size_t i = 0; i < a.size(); i++) a[i] = static_cast<Mtu>((16 - i) * 4096 - 16);
    return a;
}();
static_assert(connected[0] == connected_maximum && datagram[0] == datagram_maximum);
} // namespace

std::span<const Mtu> rungs(TransportMode mode) noexcept
{
    if (mode == TransportMode::connected) return connected;
    return datagram;
}

std::optional<Mtu> next_below(TransportMode mode, Mtu refused) noexcept
{
    const auto r = rungs(mode);
    const auto it = std::find_if(r.begin(), r.end(), [=](Mtu m) { return m < refused; });
    return it == r.end() ? std::nullopt : std::optional(*it);
}

bool is_group_limit(Mtu mtu) noexcept { return std::find(datagram.begin(), datagram.end(), mtu) != datagram.end(); }

bool follows_group(Mtu before, Mtu now) noexcept
{
    return is_group_limit(now) && (now < before || is_group_limit(before));
}

} // namespace nmib::mtu
