// SPDX-License-Identifier: LGPL-2.1-or-later
/// Samples of the ports' error counters, kept between runs.
#pragma once
#include "core/doctor/diagnose.hpp"

#include <span>
#include <vector>

namespace nmib::cli
{

/// Returns earlier samples of error counters and, last, the present one, and keeps them for the next run (only root).
std::vector<CounterSample> read_and_keep_samples(std::span<const RdmaDevice> devices);

} // namespace nmib::cli
