// SPDX-License-Identifier: LGPL-2.1-or-later
/// RDMA devices and their ports, without the values that need other machines of the fabric.
#pragma once
#include "core/base/result.hpp"
#include "core/ib/hwaddr.hpp"
#include "core/ib/ifname.hpp"
#include "core/ib/link.hpp"
#include "core/ib/mode.hpp"
#include "core/ib/mtu.hpp"
#include "core/ib/pkey.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nmib
{

/// A value, or the reason why it is unknown. Error kind `absent`: there is no value.
template<class T> class Read : public Result<T>
{
public:
    Read() : Result<T>(Error{Error::Kind::absent, {}}) {}
    Read(T value) : Result<T>(std::move(value)) {}
    Read(Error error) : Result<T>(std::move(error)) {}
    Read(Result<T> result) : Result<T>(std::move(result)) {}

    /// Returns true if the value exists but could not be read.
    bool failed() const noexcept { return !*this && this->error().kind != Error::Kind::absent; }
};

enum class LinkLayer { infiniband, roce, iwarp };
/// The logical state of a port (InfiniBand Architecture, volume 1, PortInfo.PortState; ib_verbs.h, enum ib_port_state).
enum class PortState { none, down, init, armed, active, active_defer };
/// The physical state (PortInfo.PortPhysicalState; ib_verbs.h, enum ib_port_phys_state).
enum class PhysState { none, sleep, polling, disabled, training, link_up, error_recovery, phy_test };

std::string_view word(LinkLayer layer) noexcept; ///< "InfiniBand", "RoCE", "iWARP"
std::string_view word(PortState state) noexcept; ///< "Active"
std::string_view word(PhysState state) noexcept; ///< "LinkUp"
/// Parses sysfs's text, "4: ACTIVE". Returns nullopt for a number that no kernel uses.
std::optional<PortState> parse_port_state(std::string_view text) noexcept;
std::optional<PhysState> parse_phys_state(std::string_view text) noexcept;

struct PortRate {
    unsigned mbps = 0;   ///< megabits a second on the wire, including the line code
    std::string lanes{}; ///< "4X QDR"; empty if not in sysfs
    /// Parses sysfs's text: "40 Gb/sec (4X QDR)", "2.5 Gb/sec (1X)".
    static std::optional<PortRate> parse(std::string_view text);
    std::string str() const; ///< "40 Gb/s 4X QDR"
};

/// SMInfo of the master subnet manager (InfiniBand Architecture, volume 1, 14.2.5.13).
struct SubnetManager {
    Guid guid; ///< of the port that it runs on
};

struct PKeyEntry {
    unsigned index = 0;
    PKey key;
    friend bool operator==(const PKeyEntry &, const PKeyEntry &) = default;
};

struct GidEntry {
    unsigned index = 0;
    std::string gid{};
    std::string type{}; ///< "IB/RoCE v1", "RoCE v2"; empty if unknown
    std::string interface {
    }; ///< with this address; empty on an InfiniBand port
};

struct PortNetdev {
    int ifindex = 0;
    IfName name;
    int parent = 0;                  ///< ifindex of the port's own interface; 0: this is the port's own
    bool infiniband = false;         ///< IPoIB
    std::optional<HwAddr> address{}; ///< IPoIB only
    Mtu mtu = 0;
    std::optional<TransportMode> mode{}; ///< IPoIB only
    std::optional<PKey> pkey{};
    bool up = false, carrier = false;
};

struct RdmaPort {
    unsigned number = 1; ///< counted from 1
    Read<LinkLayer> layer{};
    Read<PortState> state{};
    Read<PhysState> phys_state{};
    Read<PortRate> rate{};
    Read<unsigned> lid{}, lmc{}, sm_lid{}, sm_sl{}; ///< InfiniBand only
    Read<unsigned> cap_mask{};                      ///< PortInfo.CapabilityMask
    Read<Guid> guid{};                              ///< InfiniBand only
    // By subnet management packets, which only root can send.
    Read<PortInfo> info{}; ///< the port's own
    /// Of the other end of the link; read only if the link is below what `info` supports, or the manager is silent.
    Read<PortInfo> peer{};
    Read<SubnetManager> manager{};                   ///< read only for details
    std::map<std::string, std::uint64_t> counters{}; ///< error counters by sysfs's names, without unreadable ones
    Read<std::vector<PKeyEntry>> pkeys{};            ///< without empty entries; read only for details
    Read<std::vector<GidEntry>> gids{};              ///< read only for details
    Read<std::string> roce_mode{};                   ///< "RoCE v2": the connection manager's setting; Ethernet only
    std::vector<PortNetdev> interfaces{};            ///< the port's own, then its children

    /// Returns true if a subnet manager runs on this port (PortInfo.CapabilityMask, IsSM).
    bool has_sm() const { return cap_mask && (*cap_mask & 2U) != 0; }
};

/// The default subnet prefix (InfiniBand Architecture, volume 1, 4.1.3). Most fabrics keep it: it identifies no fabric.
constexpr std::uint64_t default_prefix = 0xfe80000000000000;
/// The first half of the first GID of an InfiniBand port; nullopt if unknown.
std::optional<std::uint64_t> subnet_prefix(const RdmaPort &port);

struct VirtualFunction {
    unsigned number = 0;
    std::string bus{};    ///< PCI address
    std::string device{}; ///< RDMA device; empty if no RDMA driver is bound, e.g. if a guest uses the function
};

/// The vendor and the device of a PCI function.
struct PciId {
    std::uint16_t vendor = 0, device = 0;
    std::string str() const; ///< "15b3:1017"
    /// A virtual function of a card of Mellanox or NVIDIA (pci.ids). In a guest, sysfs does not show it.
    bool is_virtual_function() const noexcept;
};

/// Which port: the identifiers that an administrator can write.
struct PortPlace {
    std::string hca{};    ///< RDMA device, e.g. "mlx4_0"; not stable: rdma-core may rename it
    std::string bus{};    ///< PCI address, e.g. "0000:05:00.0"; empty if there is none
    unsigned number = 1;  ///< counted from 1
    Guid guid{};          ///< 0 if the port has none
    std::string driver{}; ///< PCI driver, e.g. "mlx4_core"; empty if there is none

    /// "mlx4_0/1"; the GUID or "0000:05:00.0/1" of an absent port.
    std::string label() const
    {
        if (hca.empty() && bus.empty()) return guid.str();
        return (hca.empty() ? bus : hca) + "/" + std::to_string(number);
    }
};

/// Returns true for "mlx5_0/1", "0000:05:00.0/1" and "05:00.0/1"; without "/1" these match each port of the card. Also
/// true for the port's GUID, alone, in a GID or in a hardware address of 20 bytes.
bool names_port(std::string_view word, const PortPlace &port) noexcept;

struct RdmaDevice {
    std::string name;                           ///< e.g. "mlx4_0"; not stable: rdma-core may rename it
    std::string driver{};                       ///< of the PCI function; empty for a software device
    std::string bus{};                          ///< PCI address; empty for a software device
    Read<PciId> pci_id{};                       ///< of the PCI function
    Read<unsigned> pci_revision{};              ///< read only for a plan
    Read<std::string> pci_speed{}, pci_width{}; ///< current: "8.0 GT/s PCIe", "8"
    Read<std::string> pci_max_speed{}, pci_max_width{};
    std::vector<PciHop> pci_path{}; ///< the function, then each bridge up to the root; empty for a virtual function
    /// A function that manages the NVSwitches of the machine: for the fabric manager, not for users (SMDL=SW_MNG in
    /// its vital product data). Reading its counters makes the driver log errors.
    bool is_fabric_managed = false;
    bool role_known = true; ///< false: the user may not read the vital product data that would show it
    std::string
        smi{}; ///< device for subnet management, of a card whose ports have planes (XDR); empty: the device itself
    unsigned planes = 0; ///< of such a card's port
    Read<std::string> type{}, board_id{}, firmware{}, hw_rev{}, description{};
    Read<Guid> node_guid{}, system_guid{};
    Read<std::string> physical_function{}; ///< PCI address, of a virtual function
    Read<unsigned> vfs{}, max_vfs{};       ///< of a physical function
    std::vector<VirtualFunction> functions{};
    std::vector<RdmaPort> ports{};

    /// The revision for quirks: hw_rev, which the RDMA driver reports, else the PCI revision; nullopt if unknown.
    std::optional<std::uint64_t> revision() const noexcept;
    bool is_virtual() const noexcept
    {
        return physical_function || physical_function.failed() || (pci_id && pci_id->is_virtual_function());
    }
    PortPlace place(const RdmaPort &port) const
    {
        return {name, bus, port.number, port.guid ? *port.guid : Guid{}, driver};
    }
    std::string label(const RdmaPort &port) const { return place(port).label(); } ///< "mlx4_0/1"
};

} // namespace nmib
