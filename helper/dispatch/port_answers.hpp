// SPDX-License-Identifier: LGPL-2.1-or-later
/// The answers of a port's firmware, shared by the helpers of one event.
#pragma once
#include "probe/plan/probe.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace nmib
{

/// What a port's firmware answered. The interfaces of a port come up together, and each entry of the P_Key table may be
/// a query, so the helpers of one event share the answers.
struct PortAnswers {
    std::uint64_t second = 0;          ///< CLOCK_BOOTTIME
    std::uint64_t carrier_changes = 0; ///< of the port's own interface
    std::optional<unsigned> sm_lid{};
    std::optional<std::vector<PKey>> pkeys{}; ///< nullopt: the table could not be read

    std::string str() const;
    static std::optional<PortAnswers> parse(std::string_view text);
};
/// Fills the P_Key table and the LID of the subnet manager into the facts; asks the port, or takes the answers that
/// another helper got in the last seconds.
void ask_port(Probe &probe, const ProbePaths &paths, Facts &facts);

} // namespace nmib
