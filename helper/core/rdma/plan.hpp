// SPDX-License-Identifier: LGPL-2.1-or-later
/// What has to be done to the RDMA device of an interface, for what its profile asks. Pure, as plan() is; doing
/// it and planning again gives nothing more.
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

/// Of a virtual function.
struct VfGuid {
    Guid node{}, port{};
    friend bool operator==(const VfGuid &, const VfGuid &) = default;
};

/// What was done to the RDMA device of an interface, and has to be taken back.
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

struct RdmaPortNow {
    std::string device{}; ///< "mlx5_0"
    unsigned port = 1;
    LinkLayer layer = LinkLayer::roce;
    bool has_v1 = false, has_v2 = false; ///< among the types of its GIDs; neither: not known
    bool has_cm = true;                  ///< RDMA-CM is loaded, which keeps these values
    RoceValues roce{};                   ///< what is in effect; nothing where it could not be read
    RoceValues others{}; ///< what profiles of other interfaces ask of the port, `other` the last of them
    RoceValues first{};  ///< what was there before the first of these
    std::string other{};

    std::string label() const { return device + "/" + std::to_string(port); }
};

/// A virtual function, as the kernel lists it for its port's interface (IFLA_VF_IB_NODE_GUID, IFLA_VF_IB_PORT_GUID),
/// or mlx4 in sysfs.
struct VfNow {
    unsigned number = 0;
    std::optional<Guid> node{}, port{};
    bool bound = false;         ///< this machine's driver has it, and has read its GUID
    std::optional<Guid> read{}; ///< the node GUID that it has read; nothing where that is not known
    bool in_use = false;        ///< a program may work with it; what cannot be seen counts as work
    std::string file{};         ///< mlx4's, below /sys: "class/infiniband/mlx4_0/iov/ports/1/admin_guids/1"
};

struct RdmaFacts {
    IfName link;
    int ifindex = 0;
    std::vector<RdmaPortNow> ports{};
    std::vector<std::string> devices{}; ///< all RDMA devices of the machine
    std::optional<Guid> port_guid{};    ///< of an InfiniBand port
    std::vector<VfNow> vfs{};

    bool has_device(const std::string &device) const; ///< on the machine
    bool has_port(const std::string &label) const;
    bool has_port_of(const std::string &device) const;
};

/// The device and the port's number in "mlx5_0/1".
std::optional<std::pair<std::string, unsigned>> parse_label(const std::string &label);

struct SetRoce {
    std::string device{};
    unsigned port = 1;
    RoceValues to{};
    bool back = false; ///< to what was there before us
};
struct AddSoft {
    IfName link;
    SoftRdma type = SoftRdma::rxe;
    std::string name{}; ///< "rxe_eth0": rdma-core's rules know RoCE in software by it
};
struct RemoveSoft {
    std::string name{};
};
struct SetVfGuid {
    int ifindex = 0;
    unsigned vf = 0;
    VfGuid to{};
    std::string file{}; ///< as in VfNow
    bool back = false;  ///< to what was there before us
};
using RdmaStep = std::variant<SetRoce, AddSoft, RemoveSoft, SetVfGuid>;

struct RdmaPlan {
    std::vector<RdmaStep> steps{};
    std::vector<Finding> findings{};
};

/// What is to be remembered before the steps are done: who is killed in the middle finds it at the next event.
RdmaMade remembered(const RdmaFacts &facts, const RdmaWords &words, const RdmaPlan &plan, RdmaMade made);
/// The same after all of them were done.
RdmaMade settled(const RdmaFacts &facts, const RdmaWords &words, RdmaMade made);

/// `automatic` gives the GUID of a virtual function where the profile leaves it to us.
RdmaPlan plan_rdma(const RdmaFacts &facts, const RdmaWords &words, const RdmaMade &made, const std::string &profile,
                   const std::function<Guid(unsigned vf)> &automatic);

/// One line, what the step does: "RoCE mode of mlx5_0/1: v2".
std::string text(const RdmaStep &step, Translate translate = untranslated);

} // namespace nmib
