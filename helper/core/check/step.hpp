// SPDX-License-Identifier: LGPL-2.1-or-later
/// The steps of `nm-ib check`: what each one came to, in words.
#pragma once
#include "core/base/message.hpp"
#include "core/base/result.hpp"
#include "core/check/seen.hpp"

#include <string>
#include <string_view>

namespace nmib
{

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
