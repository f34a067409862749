// SPDX-License-Identifier: LGPL-2.1-or-later
/// What the measuring programs share: they time, print one line per sample for judge.py, and keep no statistics.
#pragma once
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <random>
#include <string_view>
#include <vector>

namespace bench
{

using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::duration<double, std::milli>;

/// ROUND<TAB>NAME<TAB>MILLISECONDS
inline void print(int round, std::string_view name, Milliseconds time)
{
    std::printf("%d\t%.*s\t%.6f\n", round, static_cast<int>(name.size()), name.data(), time.count());
}

/// In each round every variant once, in an order of its own: none profits from what always ran before it. Another seed,
/// other orders.
template<class Variants, class Measure> void interleave(int rounds, unsigned seed, Variants &variants, Measure measure)
{
    std::mt19937 chance(seed);
    std::vector<std::size_t> order(variants.size());
    for (std::size_t i = 0; i < order.size(); i++) order[i] = i;
    for (int round = 0; round < rounds; round++) {
        std::shuffle(order.begin(), order.end(), chance);
        for (const auto i : order) measure(round, variants[i]);
    }
}

} // namespace bench
