// SPDX-License-Identifier: LGPL-2.1-or-later
/// Error counters of ports over time. One sample cannot show when a counter rose; earlier samples can.
#pragma once
#include "core/ib/rdma_device.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace nmib
{

/// As sysfs names them (Documentation/ABI/stable/sysfs-class-infiniband).
inline constexpr const char *link_downed = "link_downed";
inline constexpr const char *error_counters[] = {"symbol_error", "port_rcv_errors", "link_error_recovery", link_downed};

/// All counters at one time. `seconds`: since boot, with the time asleep.
struct CounterSample {
    std::int64_t seconds = 0;
    std::map<std::string, std::map<std::string, std::uint64_t>> ports{}; ///< by counters_key(), then by counter
};

/// The port's GUID, or its label if it has none.
std::string counters_key(const RdmaDevice &device, const RdmaPort &port);
/// Of a port whose link is not up, the sample has only link_downed.
CounterSample take_sample(std::span<const RdmaDevice> devices, std::int64_t seconds);

/// Returns how much a counter has risen in the last `window` seconds, or since the last sample before; over resets.
/// `calm`: without intervals in which link_downed rose, because a link that comes up counts errors. nullopt without an
/// earlier sample. `samples`: the oldest first, the present one last.
std::optional<std::uint64_t> rise(std::span<const CounterSample> samples, const std::string &port,
                                  const std::string &counter, std::int64_t window, bool calm = false);

/// Adds a sample. Replaces the previous one if the new one is less than 10 minutes after the one before that. Of the
/// samples older than a day, keeps the newest.
void add(std::vector<CounterSample> &samples, CounterSample sample);

} // namespace nmib
