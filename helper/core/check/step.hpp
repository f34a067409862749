// SPDX-License-Identifier: LGPL-2.1-or-later
/// The steps of `nm-ib check`: judges their results, and describes them.
#pragma once
#include "core/base/message.hpp"
#include "core/base/result.hpp"
#include "core/ib/mode.hpp"
#include "core/ib/mtu.hpp"
#include "core/ib/rdma_device.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nmib
{

// The capacity of a port and of its PCI link. All rates are in Mbit/s.

/// The data rate of a port, from the kernel's rate. SDR, DDR and QDR send 10 bits for 8 (InfiniBand Architecture,
/// volume 2). sysfs has FDR with its 66 bits for 64 (14 Gb/s a lane), but EDR and faster, FDR10 and Ethernet without
/// line code (drivers/infiniband/core/sysfs.c, rate_show).
unsigned data_rate(const PortRate &rate, LinkLayer layer) noexcept;

/// Returns "169 Mbit/s", "15.3 Gbit/s", "32 Gbit/s".
std::string rate_text(unsigned mbps);

/// An address in network byte order; IPv4 uses the first 4 bytes.
struct IpAddress {
    bool six = false;
    std::array<std::uint8_t, 16> bytes{};
    int scope = 0; ///< ifindex, for a link-local IPv6 address
};

/// Bytes of the IP and ICMP headers.
constexpr Mtu ping_headers(bool six) noexcept { return six ? 48 : 28; }

struct RouteSeen {
    bool local = false; ///< the peer's address is this machine's
    bool single = true; ///< neither multicast nor broadcast
    int ifindex = 0;
    std::optional<IpAddress> gateway{}; ///< nullopt: the peer is on the link
};

/// The outgoing interface, and its port.
struct LinkSeen {
    std::string interface {
    };
    std::string port{}; ///< "mlx4_0/1"; empty without an RDMA device
    bool up = false, carrier = false;
    Mtu mtu = 0;
    std::optional<TransportMode> mode{}; ///< IPoIB only
    std::optional<unsigned> data_rate{}; ///< Mbit/s
    std::optional<unsigned> pci_rate{};  ///< Mbit/s
};

/// The next hop's neighbour entry (linux/neighbour.h, NUD_*).
enum class NeighbourState { none, incomplete, failed, known };

struct PingSeen {
    struct Answer {
        unsigned sequence = 0; ///< counted from 1
        double ms = 0;
    };
    std::optional<unsigned> sent{}; ///< nullopt: ping did not complete
    std::vector<Answer> answers{};
    std::string error_line{}; ///< first line of ping's standard error
};

struct IperfSeen {
    unsigned mbps = 0; ///< received
    Mtu mss = 0;       ///< TCP's segment size; 0: unknown
};

struct CheckStep {
    enum class Name { route, carrier, neighbour, ping, large_ping, throughput };
    enum class State { passed, skipped, warning, failed }; ///< sorted by severity

    Name name = Name::route;
    State state = State::passed;
    const char *seen = "";      ///< a message with {where}, {peer}, {subject} and {value}
    const char *mend = nullptr; ///< the remedy; null if there is none
    std::string where{}, peer{}, subject{}, value{};
};

std::string_view id(CheckStep::Name name) noexcept;   ///< "large-ping"
std::string_view id(CheckStep::State state) noexcept; ///< "failed"
const char *word(CheckStep::Name name) noexcept;      ///< for users, to be translated
const char *word(CheckStep::State state) noexcept;
std::string seen(const CheckStep &step, Translate translate = untranslated);
std::string mend(const CheckStep &step, Translate translate = untranslated); ///< empty if there is none

/// In this order; a failed step makes later steps useless. `peer` is the address as text.
CheckStep judge_route(const std::string &peer, const Result<RouteSeen> &route, const LinkSeen &link);
CheckStep judge_carrier(const LinkSeen &link);
/// `next_hop`: the peer, or the gateway.
CheckStep judge_neighbour(const std::string &next_hop, const LinkSeen &link, const Result<NeighbourState> &state);
/// The first answer is not counted, because it waits for the subnet manager's path.
CheckStep judge_ping(const std::string &peer, const PingSeen &ping);
/// `mtu`: size of the packets, including the IP header; `passes`: the largest smaller size with an answer.
CheckStep judge_large_ping(const std::string &peer, const LinkSeen &link, Mtu mtu, const PingSeen &ping, Mtu passes);
/// Warns below `least` percent of the capacity of port and PCI link; fails if iperf3 did not complete.
CheckStep judge_throughput(const LinkSeen &link, const std::optional<IperfSeen> &iperf, unsigned least);
CheckStep missing_program(CheckStep::Name name, const std::string &program, const std::string &package);

/// The capacity in Mbit/s: the lower of port and PCI link; nullopt if unknown.
std::optional<unsigned> ceiling(const LinkSeen &link) noexcept;

} // namespace nmib
