// SPDX-License-Identifier: LGPL-2.1-or-later
/// A profile, as far as doctor judges it.
#pragma once
#include "core/name/naming_world.hpp"
#include "core/plan/finding.hpp"

#include <optional>
#include <string>
#include <vector>

namespace nmib
{

struct ProfileState {
    enum class Type { infiniband, ethernet, bond, other };
    /// What its interface is.
    enum class Target { none, ipoib, rdma_ethernet, other };

    std::string id{}, uuid{}, file{};
    Type type = Type::infiniband;
    std::string interface {
    };                             ///< its own, or its parent's
    Target target = Target::ipoib; ///< none: no such interface is there
    bool autoconnect = true;
    std::optional<std::uint16_t> p_key{}; ///< of an InfiniBand profile
    std::string bond_mode{}, bond_uuid{}; ///< of the bond that it is a port of, "balance-rr"; empty without one
    unsigned vfs = 0;                     ///< virtual functions it asks for
    std::string old_word{}, old_value{};  ///< of a former version's rdma.* words in [user], one: "rdma.roce-mode", "v2"
    /// What planning its activation says, and what would refuse it.
    std::vector<Finding> findings{};
};

/// A file that speaks of InfiniBand and that nobody acts on as it is meant.
struct StrayFile {
    enum class Why {
        permissions,  ///< a keyfile that is not root's alone
        broken,       ///< a keyfile that cannot be understood: `detail` says why
        not_loaded,   ///< a good keyfile that the daemon has not read
        ifcfg_type,   ///< an ifcfg file without TYPE=InfiniBand
        ifcfg_unread, ///< an ifcfg file that NetworkManager has made no profile of
        ifcfg_used,   ///< ifcfg files that NetworkManager has profiles of: their directory
        ifupdown2,    ///< ifupdown2 knows no address of 20 bytes
        no_profile,   ///< rdma.* words of a profile that is not there
        boot_word,    ///< the kernel's command line names an interface by 6 bytes
    };
    Why why;
    std::string path{};
    std::string detail{};
};

} // namespace nmib
