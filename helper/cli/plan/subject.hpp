// SPDX-License-Identifier: LGPL-2.1-or-later
/// What one word of `plan` and `apply` stands for.
#pragma once
#include "cli/plan/machine.hpp"

namespace nmib::cli
{

/// An interface, the own interface of a port, or a profile, which counts where none is active on the interface.
Result<Forecast> forecast_of(Machine &machine, const std::string &what);
/// The same, with the active profile alone: a profile stands for the interface that it is active on.
Result<Forecast> forecast_active(Machine &machine, const std::string &what);

} // namespace nmib::cli
