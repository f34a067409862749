// SPDX-License-Identifier: LGPL-2.1-or-later
/// RDMA devices and their ports, with all that can be seen of them without asking anybody else on the fabric.
#pragma once
#include "core/base/result.hpp"
#include "core/ib/hwaddr.hpp"
#include "core/ib/ifname.hpp"
#include "core/ib/mode.hpp"
#include "core/ib/mtu.hpp"
#include "core/ib/pkey.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nmib
{

/// A value that was looked for: it, or why it is not known. An error of kind `absent` says that the thing has none.
template<class T> class Read : public Result<T>
{
public:
    Read() : Result<T>(Error{Error::Kind::absent, {}}) {}
    Read(T value) : Result<T>(std::move(value)) {}
    Read(Error error) : Result<T>(std::move(error)) {}
    Read(Result<T> result) : Result<T>(std::move(result)) {}

    /// It is there, and could not be read.
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
/// As sysfs says it: "4: ACTIVE". Nothing for a number that no kernel uses.
std::optional<PortState> parse_port_state(std::string_view text) noexcept;
std::optional<PhysState> parse_phys_state(std::string_view text) noexcept;

/// What a port carries in all its lanes.
struct PortRate {
    unsigned mbps = 0;   ///< megabits a second on the wire, the code's own bits included
    std::string lanes{}; ///< "4X QDR"; empty where sysfs does not say
    /// As sysfs says it: "40 Gb/sec (4X QDR)", "2.5 Gb/sec (1X)".
    static std::optional<PortRate> parse(std::string_view text);
    std::string str() const; ///< "40 Gb/s 4X QDR"
};

/// The InfiniBand MTU of a port in bytes: 256 to 4096.
struct PortMtu {
    unsigned active = 0, maximum = 0;
};

struct PKeyEntry {
    unsigned index = 0;
    std::uint16_t key = 0; ///< as it is in the table; bit 15: full membership
};

struct GidEntry {
    unsigned index = 0;
    std::string gid{};
    std::string type{}; ///< "IB/RoCE v1", "RoCE v2"; empty where the kernel does not say
    std::string interface {
    }; ///< whose address it is; empty on an InfiniBand port
};

/// A network interface on a port.
struct PortNetdev {
    int ifindex = 0;
    IfName name;
    int parent = 0;                  ///< ifindex of the port's own interface; 0 for that one
    bool infiniband = false;         ///< IPoIB
    std::optional<HwAddr> address{}; ///< of an IPoIB interface
    Mtu mtu = 0;
    std::optional<TransportMode> mode{}; ///< of an IPoIB interface
    std::optional<PKey> pkey{};
    bool up = false, carrier = false;
};

struct RdmaPort {
    unsigned number = 1; ///< counted from 1
    Read<LinkLayer> layer{};
    Read<PortState> state{};
    Read<PhysState> phys_state{};
    Read<PortRate> rate{};
    Read<unsigned> lid{}, lmc{}, sm_lid{}, sm_sl{}; ///< of an InfiniBand port
    Read<unsigned> cap_mask{};                      ///< PortInfo.CapabilityMask
    Read<Guid> guid{};                              ///< of an InfiniBand port
    Read<PortMtu> mtu{};                            ///< asked of the port itself, by a subnet management packet
    Read<std::vector<PKeyEntry>> pkeys{};           ///< without empty entries; read only where details are asked for
    Read<std::vector<GidEntry>> gids{};             ///< likewise
    Read<std::string> roce_mode{};        ///< "RoCE v2": the value set for the connection manager; of an Ethernet port
    std::vector<PortNetdev> interfaces{}; ///< the port's own, then its children

    /// A subnet manager runs here (PortInfo.CapabilityMask, IsSM).
    bool has_sm() const { return cap_mask && (*cap_mask & 2U) != 0; }
};

/// What most fabrics leave as it is (InfiniBand Architecture, volume 1, 4.1.3): it identifies no fabric.
constexpr std::uint64_t default_prefix = 0xfe80000000000000;
/// The first half of the first GID of an InfiniBand port; nothing where that is not known.
std::optional<std::uint64_t> subnet_prefix(const RdmaPort &port);

/// A virtual function of a card.
struct VirtualFunction {
    unsigned number = 0;
    std::string bus{};    ///< its PCI address
    std::string device{}; ///< its RDMA device; empty where no RDMA driver is bound, as for a guest's
};

struct RdmaDevice {
    std::string name;                           ///< e.g. "mlx4_0" (not stable: rdma-core may rename it)
    std::string driver{};                       ///< of the PCI function; empty for a software device
    std::string bus{};                          ///< its PCI address; empty for a software device
    Read<std::string> pci_id{};                 ///< vendor and device, "15b3:1017"
    Read<std::string> pci_speed{}, pci_width{}; ///< in use: "8.0 GT/s PCIe", "8"
    Read<std::string> pci_max_speed{}, pci_max_width{};
    Read<std::string> type{}, board_id{}, firmware{}, hw_rev{}, description{};
    Read<Guid> node_guid{}, system_guid{};
    Read<std::string> physical_function{}; ///< PCI address, of a virtual function
    Read<unsigned> vfs{}, max_vfs{};       ///< of a physical function
    std::vector<VirtualFunction> functions{};
    std::vector<RdmaPort> ports{};

    /// "mlx4_0/1"
    std::string label(const RdmaPort &port) const { return name + "/" + std::to_string(port.number); }
};

// The words that name a port, beside its interface.

struct PortPlace {
    std::string_view hca, bus; ///< "mlx5_0", "0000:05:00.0"; empty without one
    unsigned number = 1;       ///< counted from 1
    std::optional<Guid> guid{};
};

/// Returns true for "mlx5_0/1", "0000:05:00.0/1" and "05:00.0/1", for these without the number, which then name each
/// port of the card, and for the port's GUID, also in a GID or in a hardware address of twenty bytes.
bool names_port(std::string_view word, const PortPlace &port) noexcept;

} // namespace nmib
