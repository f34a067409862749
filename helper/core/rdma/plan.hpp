// SPDX-License-Identifier: LGPL-2.1-or-later
/// Plans the changes of an interface's RDMA device for the profile's rdma.* words. Pure, like plan(); planning again
/// after the changes gives no changes.
#pragma once
#include "core/ib/rdma_device.hpp"
#include "core/plan/finding.hpp"
#include "core/rdma/words.hpp"

#include <functional>
#include <map>
#include <set>
#include <string>
#include <variant>
#include <vector>

namespace nmib
{

struct RoceValues {
    std::optional<RoceMode> mode{};
    std::optional<unsigned> tos{};

    bool empty() const noexcept { return !mode && !tos; }
};

struct VfGuid {
    Guid node{}, port{};
    friend bool operator==(const VfGuid &, const VfGuid &) = default;
};

/// The changes made to an interface's RDMA device, to be undone later.
struct RdmaMade {
    std::map<std::string, RoceValues> was{}; ///< by "mlx5_0/1": the values before nm-infiniband
    std::map<unsigned, VfGuid> vfs{};        ///< by number: the GUIDs before nm-infiniband
    std::string soft{};                      ///< the software device that nm-infiniband made
    std::set<std::string> folders{};         ///< devices with an RDMA-CM folder that a killed helper may have left

    bool empty() const noexcept { return was.empty() && vfs.empty() && soft.empty() && folders.empty(); }
    std::string str() const; ///< one line for each value
    static RdmaMade parse(std::string_view text);
};

struct RdmaPortNow {
    std::string device{}; ///< "mlx5_0"
    unsigned port = 1;
    LinkLayer layer = LinkLayer::roce;
    bool has_v1 = false, has_v2 = false; ///< from the types of the GIDs; both false: unknown
    bool has_cm = true;                  ///< RDMA-CM is loaded, which holds these values
    RoceValues roce{};                   ///< in effect; nullopt if not readable
    RoceValues others{};                 ///< of other interfaces' profiles; `other` is the last of these profiles
    RoceValues first{};                  ///< before the first of these profiles
    std::string other{};

    std::string label() const { return device + "/" + std::to_string(port); }
};

/// A virtual function, from its port's interface (IFLA_VF_IB_NODE_GUID, IFLA_VF_IB_PORT_GUID) or from mlx4's sysfs.
struct VfNow {
    unsigned number = 0;
    std::optional<Guid> node{}, port{};
    bool bound = false;         ///< a driver of this machine is bound, and has read the GUID
    std::optional<Guid> read{}; ///< node GUID that the driver has read; nullopt if unknown
    bool in_use = false;        ///< by a program, or unknown
    std::string file{};         ///< mlx4's, in /sys: "class/infiniband/mlx4_0/iov/ports/1/admin_guids/1"
};

struct RdmaFacts {
    IfName link;
    int ifindex = 0;
    std::vector<RdmaPortNow> ports{};
    std::vector<std::string> devices{}; ///< of the machine
    std::optional<Guid> port_guid{};    ///< InfiniBand only
    std::vector<VfNow> vfs{};

    bool has_device(const std::string &device) const;
    bool has_port(const std::string &label) const;
    bool has_port_of(const std::string &device) const;
};

/// Splits "mlx5_0/1" into device and port number.
std::optional<std::pair<std::string, unsigned>> parse_label(const std::string &label);

struct SetRoce {
    std::string device{};
    unsigned port = 1;
    RoceValues to{};
    bool back = false; ///< restores the values before nm-infiniband
};
struct AddSoft {
    IfName link;
    SoftRdma type = SoftRdma::rxe;
    std::string name{}; ///< "rxe_eth0": rdma-core's rules recognise the prefix
};
struct RemoveSoft {
    std::string name{};
};
struct SetVfGuid {
    int ifindex = 0;
    unsigned vf = 0;
    VfGuid to{};
    std::string file{}; ///< as in VfNow
    bool back = false;  ///< restores the GUIDs before nm-infiniband
};
using RdmaStep = std::variant<SetRoce, AddSoft, RemoveSoft, SetVfGuid>;

struct RdmaPlan {
    std::vector<RdmaStep> steps{};
    std::vector<Finding> findings{};
};

/// What to store before the steps, so that a killed helper is continued at the next event.
RdmaMade made_before_steps(const RdmaFacts &facts, const RdmaWords &words, const RdmaPlan &plan, RdmaMade made);
/// What to store after all steps.
RdmaMade made_after_steps(const RdmaFacts &facts, const RdmaWords &words, RdmaMade made);

/// `automatic` returns the GUID of a virtual function if the word is "auto".
RdmaPlan plan_rdma(const RdmaFacts &facts, const RdmaWords &words, const RdmaMade &made, const std::string &profile,
                   const std::function<Guid(unsigned vf)> &automatic);

/// One line about the step: "RoCE mode of mlx5_0/1: v2".
std::string text(const RdmaStep &step, Translate translate = untranslated);

} // namespace nmib
