// SPDX-License-Identifier: LGPL-2.1-or-later
/// The words that name a port, beside its interface.
#pragma once
#include "core/ib/hwaddr.hpp"

#include <optional>
#include <string_view>

namespace nmib
{

struct PortPlace {
    std::string_view hca, bus; ///< "mlx5_0", "0000:05:00.0"; empty without one
    unsigned number = 1;       ///< counted from 1
    std::optional<Guid> guid{};
};

/// Returns true for "mlx5_0/1", "0000:05:00.0/1" and "05:00.0/1", for these without the number, which then name each
/// port of the card, and for the port's GUID, also in a GID or in a hardware address of twenty bytes.
bool names_port(std::string_view word, const PortPlace &port) noexcept;

} // namespace nmib
