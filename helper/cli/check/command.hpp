// SPDX-License-Identifier: LGPL-2.1-or-later
/// Runs the steps of `nm-ib check`.
#pragma once
#include "core/base/result.hpp"
#include "core/check/step.hpp"

#include <functional>

namespace nmib::cli
{

struct CheckRequest {
    std::string peer{}; ///< name or address
    int family = 0;     ///< AF_INET, AF_INET6, or 0 for either
    bool iperf = true;
    unsigned seconds = 5; ///< duration of iperf3
    unsigned least = 50;  ///< percent of the capacity; less is a warning
};

struct CheckReport {
    std::string peer{}, address{}; ///< as requested, and as a number
    LinkSeen link{};
    std::vector<CheckStep> steps{};
    std::optional<IperfSeen> iperf{};

    CheckStep::State worst() const noexcept;
};

/// Stops at the first step that fails. Calls `each` at the end of each step.
CheckReport run_check(const CheckRequest &request, const IpAddress &peer,
                      const std::function<void(const CheckStep &)> &each);

// The peer, and the interface towards the peer.

/// Returns the first address of a name, or the address itself. `family`: AF_INET, AF_INET6 or AF_UNSPEC. An Error of
/// kind `absent` if there is no address.
Result<IpAddress> resolve(const std::string &peer, int family);
/// Returns "192.0.2.2", "fe80::2%ib0".
std::string text_of(const IpAddress &address);

/// Makes the kernel resolve the next hop: sends a datagram to the discard port. The datagram need not arrive.
void stir(const IpAddress &address);

/// Reads an interface and the port below, also of a bond's active port or a VLAN. `port` is empty without RDMA device.
Result<LinkSeen> look_at_link(int ifindex);

} // namespace nmib::cli
