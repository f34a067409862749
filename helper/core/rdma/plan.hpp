// SPDX-License-Identifier: LGPL-2.1-or-later
/// What has to be done to the RDMA device of an interface, for what its profile asks. Pure, as core/plan is; doing it
/// and planning again gives nothing more.
#pragma once
#include "core/finding.hpp"
#include "core/inventory/rdma_device.hpp"
#include "core/rdma/words.hpp"

#include <functional>
#include <variant>

namespace nmib
{

struct RoceValues {
    std::optional<RoceMode> mode{};
    std::optional<unsigned> tos{};
};

struct RdmaPortNow {
    std::string device{}; ///< "mlx5_0"
    unsigned port = 1;
    LinkLayer layer = LinkLayer::roce;
    bool has_v1 = false, has_v2 = false; ///< among the types of its GIDs; neither: not known
    bool has_cm = true;                  ///< RDMA-CM is loaded, which keeps these values
    RoceValues roce{};                   ///< what is in effect; nothing where it could not be read

    std::string label() const { return device + "/" + std::to_string(port); }
};

/// A virtual function, as the kernel lists it for its port's interface (IFLA_VF_IB_NODE_GUID, IFLA_VF_IB_PORT_GUID),
/// or mlx4 in sysfs.
struct VfNow {
    unsigned number = 0;
    std::optional<Guid> node{}, port{};
    bool bound = false;  ///< this machine's driver has it, and has read its GUID
    bool in_use = false; ///< somebody may work with it; what cannot be seen counts as work
    std::string file{};  ///< mlx4's, below /sys: "class/infiniband/mlx4_0/iov/ports/1/admin_guids/1"
};

struct RdmaFacts {
    IfName link;
    int ifindex = 0;
    std::vector<RdmaPortNow> ports{};
    std::vector<std::string> devices{}; ///< all RDMA devices of the machine
    std::optional<Guid> port_guid{};    ///< of an InfiniBand port
    std::vector<VfNow> vfs{};
};

/// What we did, and have to take back.
struct RdmaMade {
    std::map<std::string, RoceValues> was{}; ///< by "mlx5_0/1": what was there before us
    std::string soft{};                      ///< the software device that we made

    bool empty() const noexcept { return was.empty() && soft.empty(); }
    std::string str() const; ///< a line for each
    static RdmaMade parse(std::string_view text);
};

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
    Guid guid{};        ///< of node and port
    std::string file{}; ///< as in VfNow
};
using RdmaStep = std::variant<SetRoce, AddSoft, RemoveSoft, SetVfGuid>;

struct RdmaPlan {
    std::vector<RdmaStep> steps{};
    std::vector<Finding> findings{};
};

/// `automatic` gives the GUID of a virtual function where the profile leaves it to us.
RdmaPlan plan_rdma(const RdmaFacts &facts, const RdmaWords &words, const RdmaMade &made, const std::string &profile,
                   const std::function<Guid(unsigned vf)> &automatic);

/// One line, what the step does: "RoCE mode of mlx5_0/1: v2".
std::string text(const RdmaStep &step, Translate translate = untranslated);

} // namespace nmib
