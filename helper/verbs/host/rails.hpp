// SPDX-License-Identifier: LGPL-2.1-or-later
/// The file of rails, as nm-ib writes it.
#pragma once
#include "core/host/rails.hpp"

#include <vector>

namespace nmib::cli
{

/// Returns the rails in the file.
std::vector<Rail> written_rails();

} // namespace nmib::cli
