// SPDX-License-Identifier: LGPL-2.1-or-later
#include "verbs/doctor/counter_samples.hpp"

#include "apply/base/file.hpp"
#include "config.h"
#include "terminal/json.hpp"

#include <ctime>

namespace nmib::cli
{

namespace
{
constexpr const char *counters_file = "counters"; // below NMIB_STATE, which is empty after a boot, like the counters

/// Skips what it does not understand: the file is only a memory.
std::vector<CounterSample> samples_in(const std::string &text)
{
    std::vector<CounterSample> samples;
    const auto json = nlohmann::json::parse(text, nullptr, false);
    if (!json.is_array()) return samples;
    for (const auto &entry : json) {
        if (!entry.is_object() || !entry.contains("seconds") || !entry["seconds"].is_number_integer()) continue;
        CounterSample sample{.seconds = entry["seconds"].get<std::int64_t>()};
        if (!entry.contains("ports") || !entry["ports"].is_object()) continue;
        for (const auto &[port, counters] : entry["ports"].items())
            if (counters.is_object())
                for (const auto &[name, value] : counters.items())
                    if (value.is_number_unsigned()) sample.ports[port][name] = value.get<std::uint64_t>();
        samples.push_back(std::move(sample));
    }
    return samples;
}

std::string text_of(const std::vector<CounterSample> &samples)
{
    auto json = nlohmann::json::array();
    for (const auto &sample : samples) json.push_back({{"seconds", sample.seconds}, {"ports", sample.ports}});
    return json.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace) + "\n";
}

/// CLOCK_BOOTTIME.
std::int64_t seconds_since_boot()
{
    timespec now{};
    ::clock_gettime(CLOCK_BOOTTIME, &now);
    return now.tv_sec;
}
} // namespace

std::vector<CounterSample> read_and_keep_samples(std::span<const RdmaDevice> devices)
{
    constexpr std::size_t longest = 4U << 20; // 145 samples at 64 ports are 1.2 MB
    auto present = take_sample(devices, seconds_since_boot());
    std::vector<CounterSample> samples;
    const auto old =
        Dir::open(NMIB_STATE).and_then([&](auto &dir) { return dir.read_trusted(counters_file, longest); });
    if (old) samples = samples_in(*old);
    const bool has_counters = !present.ports.empty();
    add(samples, std::move(present));
    if (::geteuid() == 0 && has_counters)
        if (const auto dir = make_dir(NMIB_STATE)) (void)write_file(*dir, counters_file, text_of(samples));
    return samples;
}

} // namespace nmib::cli
