// SPDX-License-Identifier: LGPL-2.1-or-later
/// Facts, intents and policies drawn at random from a seed: odd ones too, but such as a kernel could have.
#pragma once
#include "core/plan/plan.hpp"

#include <random>

namespace nmib::test
{

class Random
{
public:
    explicit Random(unsigned seed) : engine_(seed) {}
    /// 0 to n - 1, the same on every machine (std::uniform_int_distribution is not).
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
