// SPDX-License-Identifier: LGPL-2.1-or-later
/// Names for all ports of a machine at once.
#pragma once
#include "core/name/conflict.hpp"

namespace nmib
{

struct Proposal {
    const PortIdentity *port; ///< never null
    PortName name;
};

/// For every port that no file of ours is for: the family of its HCA, "_ib" and a number that counts the ports of the
/// family in the order of `world.ports`: mlx5_ib0, mlx5_ib1. At most ten characters. A name that anything uses already,
/// or that `taken` holds, is skipped.
std::vector<Proposal> propose_names(const NamingWorld &world, std::span<const std::string> taken = {});

} // namespace nmib
