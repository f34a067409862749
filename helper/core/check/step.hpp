// SPDX-License-Identifier: LGPL-2.1-or-later
/// The steps of `nm-ib check`: what each one came to, in words.
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

// How much a port, and the bus behind it, can carry. All rates are megabits a second.

/// What is left for data of what the kernel calls the rate of a port. SDR, DDR and QDR send 10 bits for 8 (InfiniBand
/// Architecture, volume 2). sysfs gives FDR as 14 Gb/s a lane, which are 66 bits for 64, and what is faster, FDR10 and
/// Ethernet without these bits already (drivers/infiniband/core/sysfs.c, rate_show).
unsigned data_rate(const PortRate &rate, LinkLayer layer) noexcept;

/// Of a PCI link, as sysfs says its speed ("8.0 GT/s PCIe") and width ("8"): without the bits of its code, but with its
/// packets' headers. Nothing where they say nothing.
std::optional<unsigned> pci_rate(std::string_view speed, std::string_view width) noexcept;

/// "169 Mbit/s", "15.3 Gbit/s", "32 Gbit/s"
std::string rate_text(unsigned mbps);

// What `nm-ib check` found out about the way to another machine, as plain values. Filled in by probe/ and cli/, or by
// a test.

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

struct CheckStep {
    enum class Name { route, carrier, neighbour, ping, large_ping, throughput };
    enum class State { passed, skipped, warning, failed }; ///< the worse, the larger

    Name name = Name::route;
    State state = State::passed;
    const char *seen = "";      ///< in the messages: {where}, {peer}, {subject} and {value}
    const char *mend = nullptr; ///< what to do about it; null: nothing
    std::string where{}, peer{}, subject{}, value{};
};

std::string_view id(CheckStep::Name name) noexcept;   ///< "large-ping"
std::string_view id(CheckStep::State state) noexcept; ///< "failed"
const char *word(CheckStep::Name name) noexcept;      ///< for people, in the catalogue
const char *word(CheckStep::State state) noexcept;
std::string seen(const CheckStep &step, Translate translate = untranslated);
std::string mend(const CheckStep &step, Translate translate = untranslated); ///< empty: nothing

/// In this order; after a failed step no other makes sense. `peer` is the address as text.
CheckStep judge_route(const std::string &peer, const Result<RouteSeen> &route, const LinkSeen &link);
CheckStep judge_carrier(const LinkSeen &link);
/// `next_hop`: the peer itself, or the gateway to it.
CheckStep judge_neighbour(const std::string &next_hop, const LinkSeen &link, const Result<NeighbourState> &state);
/// The first answer counts for nothing: before it the port asks the subnet manager for the path.
CheckStep judge_ping(const std::string &peer, const PingSeen &ping);
/// `mtu`: how large the packets were, IP header included; `passes`: the largest smaller size that was answered.
CheckStep judge_large_ping(const std::string &peer, const LinkSeen &link, Mtu mtu, const PingSeen &ping, Mtu passes);
/// A warning below `least` per cent of what port and PCI link can carry; a failure if iperf3 came to no end.
CheckStep judge_throughput(const LinkSeen &link, const std::optional<IperfSeen> &iperf, unsigned least);
/// The program is not installed, or not in PATH.
CheckStep missing_program(CheckStep::Name name, const std::string &program, const std::string &package);

/// The least that something on the way from port to memory can carry, Mbit/s. Nothing: unknown.
std::optional<unsigned> ceiling(const LinkSeen &link) noexcept;

} // namespace nmib
