// SPDX-License-Identifier: LGPL-2.1-or-later
/// What a profile asks of one interface. Unset means: not this profile's business, leave it.
#pragma once
#include "core/ib/ifname.hpp"
#include "core/ib/mode.hpp"
#include "core/ib/mtu.hpp"
#include "core/plan/feature.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace nmib
{

struct Intent {
    int ifindex = 0;       ///< the interface the profile is active on
    std::string profile{}; ///< its id, for messages
    std::optional<TransportMode> mode{};
    std::optional<Mtu> mtu{};             ///< 0 is "auto": the kernel's
    bool mtu_is_settled = false;          ///< NetworkManager has asked for it; a higher one is not asked for again
    std::optional<std::uint16_t> p_key{}; ///< as written, membership bit or not; set for a P_Key child's profile
    std::optional<IfName> parent{};       ///< as written; a P_Key profile may have none
    bool anywhere = false;                ///< without an interface-name: on each interface that fits
    bool skip = false;                    ///< rdma.skip yes: all of it is left to NetworkManager
    struct Asked {
        FeatureName name;
        bool on;
    };
    std::vector<Asked> features{}; ///< ethtool.feature-* written in the profile: the administrator's word
};

} // namespace nmib
