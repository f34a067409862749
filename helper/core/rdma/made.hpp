// SPDX-License-Identifier: LGPL-2.1-or-later
/// What was done to the RDMA device of an interface, and has to be taken back.
#pragma once
#include "core/rdma/words.hpp"

#include <set>

namespace nmib
{

struct RoceValues {
    std::optional<RoceMode> mode{};
    std::optional<unsigned> tos{};

    bool empty() const noexcept { return !mode && !tos; }
};

/// Of a virtual function.
struct VfGuid {
    Guid node{}, port{};
    friend bool operator==(const VfGuid &, const VfGuid &) = default;
};

struct RdmaMade {
    std::map<std::string, RoceValues> was{}; ///< by "mlx5_0/1": what was there before us
    std::map<unsigned, VfGuid> vfs{};        ///< likewise, of virtual functions
    std::string soft{};                      ///< the software device that we made
    std::set<std::string>
        folders{}; ///< devices for which RDMA-CM's folder may be ours: a helper that is killed leaves it

    bool empty() const noexcept { return was.empty() && vfs.empty() && soft.empty() && folders.empty(); }
    std::string str() const; ///< a line for each
    static RdmaMade parse(std::string_view text);
};

} // namespace nmib
