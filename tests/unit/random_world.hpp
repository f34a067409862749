// SPDX-License-Identifier: LGPL-2.1-or-later
/// Random facts, intents and policies from a seed: also odd ones, but possible in a kernel.
#pragma once
#include "core/plan/plan.hpp"

#include <random>

namespace nmib::test
{

class Random
{
public:
    explicit Random(unsigned seed) : engine_(seed) {}
    /// Returns 0 to n - 1, the same on every machine, unlike std::uniform_int_distribution.
    unsigned below(unsigned n) noexcept { return static_cast<unsigned>(engine_() % n); }
    bool chance(unsigned percent) noexcept { return below(100) < percent; }
    template<class T> const T &of(const std::vector<T> &v) noexcept
    {
        return v[below(static_cast<unsigned>(v.size()))];
    }

private:
    std::mt19937 engine_;
};

struct RandomWorld {
    Facts facts;
    Intent intent;
    Policy policy;
};
RandomWorld random_world(unsigned seed);

} // namespace nmib::test
