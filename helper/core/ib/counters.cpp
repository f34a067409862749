// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/ib/counters.hpp"

#include <algorithm>

namespace nmib
{

std::string counters_key(const RdmaDevice &device, const RdmaPort &port)
{
    return port.guid && port.guid->value != 0 ? port.guid->str() : device.label(port);
}

CounterSample take_sample(std::span<const RdmaDevice> devices, std::int64_t seconds)
{
    CounterSample sample{.seconds = seconds};
    for (const auto &device : devices)
        for (const auto &port : device.ports) {
            if (port.counters.empty()) continue;
            auto &counters = sample.ports[counters_key(device, port)] = port.counters;
            // A link that comes up counts errors: the interval then reaches from the last time that it was up.
            if (port.phys_state && *port.phys_state != PhysState::link_up)
                std::erase_if(counters, [](const auto &counter) { return counter.first != link_downed; });
        }
    return sample;
}

namespace
{
std::optional<std::uint64_t> value_of(const CounterSample &sample, const std::string &port, const std::string &counter)
{
    const auto counters = sample.ports.find(port);
    if (counters == sample.ports.end()) return {};
    const auto value = counters->second.find(counter);
    if (value == counters->second.end()) return {};
    return value->second;
}
/// A smaller value was reset to 0 in between.
std::uint64_t difference(std::uint64_t before, std::uint64_t now) { return now >= before ? now - before : now; }
} // namespace

std::optional<std::uint64_t> rise(std::span<const CounterSample> samples, const std::string &port,
                                  const std::string &counter, std::int64_t window, bool calm)
{
    std::optional<std::uint64_t> before, total;
    const CounterSample *last = nullptr;
    for (const auto &sample : samples) {
        const auto value = value_of(sample, port, counter);
        if (!value) continue;
        const bool is_inside = sample.seconds >= samples.back().seconds - window;
        if (before && is_inside) {
            const auto down = value_of(*last, port, link_downed), now = value_of(sample, port, link_downed);
            const bool is_counted = !calm || !down || !now || difference(*down, *now) == 0;
            total = total.value_or(0) + (is_counted ? difference(*before, *value) : 0);
        }
        before = value, last = &sample;
    }
    return total;
}

void add(std::vector<CounterSample> &samples, CounterSample sample)
{
    constexpr std::int64_t day = 86400, step = 600;
    std::erase_if(samples, [&](const auto &s) { return s.seconds > sample.seconds; });
    const auto recent =
        std::find_if(samples.begin(), samples.end(), [&](const auto &s) { return s.seconds >= sample.seconds - day; });
    if (recent - samples.begin() > 1) samples.erase(samples.begin(), recent - 1);
    // The last but one is kept: the steps must not slide with each sample.
    if (samples.size() >= 2 && sample.seconds - samples[samples.size() - 2].seconds < step) samples.pop_back();
    samples.push_back(std::move(sample));
}

} // namespace nmib
