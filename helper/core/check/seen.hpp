// SPDX-License-Identifier: LGPL-2.1-or-later
/// What `nm-ib check` found out about the way to another machine, as plain values. Filled in by probe/ and cli/, or by
/// a test.
#pragma once
#include "core/ib/mode.hpp"
#include "core/ib/mtu.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace nmib
{

/// An address as the kernel has it, in network byte order; of an IPv4 one the first 4 bytes.
struct IpAddress {
    bool six = false;
    std::array<std::uint8_t, 16> bytes{};
    int scope = 0; ///< ifindex, of a link-local IPv6 address
};

/// Bytes of the IP header and the one of ICMP behind it.
constexpr Mtu ping_headers(bool six) noexcept { return six ? 48 : 28; }

/// The way out, as the kernel would send. Written for people are `source` and `gateway`.
struct RouteSeen {
    bool local = false; ///< the address is one of this machine's
    bool single = true; ///< neither multicast nor broadcast
    int ifindex = 0;
    std::optional<IpAddress> gateway{}; ///< nothing: on the link itself
};

/// The interface the way leads over, and the port below it.
struct LinkSeen {
    std::string interface {
    };
    std::string port{}; ///< "mlx4_0/1"; empty: not an interface on an RDMA device
    bool up = false, carrier = false;
    Mtu mtu = 0;
    std::optional<TransportMode> mode{}; ///< of IPoIB
    std::optional<unsigned> data_rate{}; ///< Mbit/s
    std::optional<unsigned> pci_rate{};  ///< Mbit/s
};

/// The neighbour entry of the next hop (linux/neighbour.h, NUD_*).
enum class NeighbourState { none, incomplete, failed, known };

struct PingSeen {
    struct Answer {
        unsigned sequence = 0; ///< counted from 1
        double ms = 0;
    };
    std::optional<unsigned> sent{}; ///< nothing: ping did not come to its end
    std::vector<Answer> answers{};
    std::string said{}; ///< the first line of its standard error
};

struct IperfSeen {
    unsigned mbps = 0; ///< what arrived
    Mtu mss = 0;       ///< the segments TCP agreed on; 0: not said
};

} // namespace nmib
