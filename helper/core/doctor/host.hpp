// SPDX-License-Identifier: LGPL-2.1-or-later
/// The facts of nm-ib doctor: profiles, files, services, ports.
#pragma once
#include "core/host/modules.hpp"
#include "core/ib/counters.hpp"
#include "core/ib/rdma_device.hpp"
#include "core/name/naming_world.hpp"
#include "core/plan/finding.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace nmib
{

struct ProfileState {
    enum class Type { infiniband, ethernet, bond, other };
    /// The kind of the profile's interface.
    enum class Target { none, ipoib, rdma_ethernet, other };

    std::string id{}, uuid{}, file{};
    Type type = Type::infiniband;
    std::string interface {
    };                             ///< its own, or its parent's
    Target target = Target::ipoib; ///< none: there is no such interface
    bool autoconnect = true;
    std::set<std::string> networks{};     ///< of the IPv4 addresses in the profile (ipv4.method manual), "10.0.0.0/24"
    bool by_name = true;                  ///< bound by the name of the interface or parent, not by an address
    std::optional<std::uint16_t> p_key{}; ///< InfiniBand only
    std::string bond_mode{}, bond_uuid{}; ///< of the bond of which it is a port, "balance-rr"; empty without a bond
    unsigned vfs = 0;                     ///< requested virtual functions
    std::optional<unsigned> roce_tos{};   ///< rdma.roce-tos, with RoCE v2
    std::string failure{};                ///< NetworkManager's reason of the last activation, if it failed
    std::string client_id{}, six_bytes{}; ///< what a DHCP server sees of the port; empty without DHCP
    /// The findings of its plan, and what would prevent its activation.
    std::vector<Finding> findings{};
};

/// A file about InfiniBand that is not read, or misread.
struct StrayFile {
    enum class Why {
        permissions,  ///< a keyfile that is not only root's
        broken,       ///< an invalid keyfile; `detail` has the reason
        not_loaded,   ///< a valid keyfile that the daemon has not read
        ifcfg_type,   ///< an ifcfg file without TYPE=InfiniBand
        ifcfg_unread, ///< an ifcfg file without a profile in NetworkManager
        ifcfg_used,   ///< the directory of ifcfg files with profiles in NetworkManager
        ifupdown2,    ///< ifupdown2 does not support addresses of 20 bytes
        no_profile,   ///< rdma.* words of a profile that does not exist
        boot_word,    ///< the kernel's command line has an address of 6 bytes for an interface
        boot_name,    ///< the kernel's command line has the kernel's name of one of several ports
    };
    Why why;
    std::string path{};
    std::string detail{};
};

/// A process that registers memory with a card, and its limit of locked memory.
struct MemlockLimit {
    std::string name{}; ///< its command
    int pid = 0;
    std::uint64_t bytes = 0;  ///< soft RLIMIT_MEMLOCK; the maximum: unlimited
    std::string unit{};       ///< systemd unit of the process; of a process of a user's manager: the manager's
    std::string configured{}; ///< the unit's LimitMEMLOCK: bytes, or "infinity"; empty if unknown
};

struct KernelLine {
    std::uint64_t usec = 0; ///< after boot
    std::string text{};
};

/// RDMA in nfs.conf(5) and its drop-ins, and in the running server.
struct NfsServer {
    struct File {
        std::string path{}, words{}; ///< "rdma=20049"
    };
    std::vector<File> files{};         ///< in the order of reading; only files with RDMA settings
    std::vector<unsigned> wanted{};    ///< the resulting ports
    std::vector<unsigned> listeners{}; ///< actual ports
    bool runs = false;                 ///< the server listens, with any transport
    bool name_unknown = false; ///< rdma=y, but /etc/services does not have the name that rpc.nfsd looks up: no listener
};

/// A mount over RDMA, from fstab(5) or the kernel.
struct NfsMount {
    std::string what{}, where{};             ///< "10.0.0.1:/export", "/mnt"
    bool in_fstab = false, automatic = true; ///< automatic: mounted without a request
    bool mounted = false;
    bool over_rdma = false; ///< only if mounted
};

/// A program of the machine with a known fault on InfiniBand hosts.
struct Tool {
    std::string name{}, version{}; ///< "waagent", "2.9.1.1"
};

struct Services {
    bool daemon_stopped = false;                         ///< NetworkManager.service is enabled, and does not run
    bool plugin_installed = false, plugin_loaded = true; ///< loaded: also if unknown
    bool plugin_replaced = false; ///< the file that the daemon runs was replaced by another version
    /// The file of the dispatcher helper if nm-dispatcher refuses it, or if it is absent.
    std::string refused_dispatcher{}, missing_dispatcher{};
    std::map<std::string, std::string> mislabelled{}; ///< path and SELinux type; only if SELinux enforces
    std::set<std::string> failed_units{};             ///< "opensm@0x0002c9030010c0de.service"
    bool openibd = false;                             ///< the vendor's service is active
    std::set<std::string> networkd{};                 ///< IPoIB interfaces that systemd-networkd manages
    std::set<std::string> managed{};                  ///< IPoIB interfaces that NetworkManager manages
    std::optional<std::uint64_t> wait_online_end{};   ///< microseconds after boot; nullopt if it did not run
    std::vector<MemlockLimit> limits{};
    std::vector<KernelLine> log{};
    std::vector<Tool> tools{}; ///< those of known_tools() that are installed
    NfsServer nfs_server{};
    std::vector<NfsMount> nfs_mounts{};
    bool srp_daemon = false;                          ///< the service that starts a daemon for each port is active
    std::map<std::string, std::string> srp_daemons{}; ///< by HCA and port, "mlx4_0:1": systemd's state, "active"
};

/// Data Center Bridging of an Ethernet interface. Absent if the driver does not support it, or if it cannot be read.
struct Dcb {
    using Priorities = std::map<unsigned, unsigned>;
    std::optional<Priorities> of_dscp{}, of_udp_port{}; ///< the application table
    std::optional<std::vector<bool>> flow_control{};    ///< by priority, 0 to 7 (IEEE 802.1Qbb)
    bool has_pause = false;                             ///< flow control of the link, in any direction (IEEE 802.3x)
};

struct IpNetwork {
    std::string interface, network; ///< "10.0.0.0/24"
    /// Set up to share a subnet: answers ARP only for its own addresses (arp_ignore, arp_announce, rp_filter), and
    /// packets from one of its addresses in the network leave through it.
    bool is_rail = false;
    std::string uuid{}; ///< of the active profile; empty: none
};

struct Host {
    std::vector<RdmaDevice> devices{};
    std::vector<RdmaDevice> others{};              ///< devices and ports that the command line excludes
    bool has_device = true;                        ///< of the whole machine; `devices` has the examined ones
    bool has_daemon = true;                        ///< false: NetworkManager does not run, so profiles are unknown
    std::map<std::string, KernelModule> modules{}; ///< by the kernel's name: "ib_ipoib"
    std::string kernel{};                          ///< the running release, "6.1.0-10-amd64"
    bool has_verbs_library = false;                ///< libibverbs is installed
    bool has_cm_library = false;                   ///< librdmacm is installed
    bool exclusive_devices = false; ///< each RDMA device is visible in one network namespace only (rdma-system(8))
    std::string container{};        ///< "podman"; empty: none
    std::vector<CounterSample> counters{}; ///< earlier samples and, last, the present one
    bool has_opensm = false;               ///< opensm is installed on this machine
    /// Functions of InfiniBand cards with a PCI driver but no RDMA device: PCI address and driver.
    std::vector<std::pair<std::string, std::string>> bare_functions{};
    /// The same without a PCI driver: PCI address, and the kernel's driver for the card; empty if unknown.
    std::vector<std::pair<std::string, std::string>> unbound_functions{};
    bool has_vendor_stack = false; ///< the vendor's modules (mlx_compat) are loaded instead of the kernel's
    /// libibverbs devices without a node in /dev, and their RDMA device; RDMA devices without a provider, and its name.
    std::vector<std::pair<std::string, std::string>> missing_nodes{}, missing_providers{};
    std::vector<IpNetwork> networks{}; ///< of IPoIB interfaces
    std::map<std::string, Dcb> dcb{};  ///< of Ethernet interfaces that have a profile with rdma.roce-tos
    std::vector<ProfileState> profiles{};
    std::vector<StrayFile> files{};
    std::string naming_error{};                  ///< why the names of ports were not read; empty: they were
    std::shared_ptr<const NamingWorld> naming{}; ///< null: not read
    Services services{};
    std::set<std::string> wanted{}; ///< interfaces of profiles; without NetworkManager, the interfaces that are up
    bool named = false;             ///< the command line names a port or a profile; only these are examined

    bool looks_at(const RdmaDevice &device) const
    {
        for (const auto &d : devices)
            if (d.name == device.name) return true;
        return false;
    }
    /// The card of a virtual function; null if unknown.
    const RdmaDevice *card_of(const RdmaDevice &function) const
    {
        for (const auto *all : {&devices, &others})
            for (const auto &device : *all)
                if (function.physical_function && device.bus == *function.physical_function) return &device;
        return nullptr;
    }
    /// A port without a cable is no fault unless a profile or the command line names it.
    bool wants(const PortNetdev &netdev) const { return named || wanted.contains(netdev.name.str()); }
    bool wants(const RdmaPort &port) const
    {
        for (const auto &n : port.interfaces)
            if (wants(n)) return true;
        return named;
    }
};

} // namespace nmib
