// SPDX-License-Identifier: LGPL-2.1-or-later
/// What doctor knows of a machine before it judges: profiles, files, services, ports.
#pragma once
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
    /// What planning its activation says, and what would refuse it.
    std::vector<Finding> findings{};
};

/// A file about InfiniBand that no program acts on as it is meant.
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

/// A process that registers memory with a card, and how much it may lock.
struct MemlockLimit {
    std::string name{}; ///< its command
    int pid = 0;
    std::uint64_t bytes = 0; ///< RLIMIT_MEMLOCK, soft; the largest number: unlimited
    std::string unit{};      ///< of systemd, that it runs in; a user's manager for what that started
};

/// A line of the kernel's log.
struct KernelLine {
    std::uint64_t usec = 0; ///< after boot
    std::string text{};
};

/// What nfs.conf(5) and its drop-ins say of RDMA, and what the kernel does.
struct NfsServer {
    struct File {
        std::string path{}, words{}; ///< "rdma=20049"
        bool ours = false;           ///< nm-ib host wrote it
    };
    std::vector<File> files{};         ///< in the order they are read; those that do not speak of RDMA are left out
    std::vector<unsigned> wanted{};    ///< ports, by the last word of all
    std::vector<unsigned> listeners{}; ///< ports on which it does
    bool runs = false;                 ///< it listens for something
    bool name_unknown = false;         ///< "y" makes rpc.nfsd look for a name that /etc/services has not: no listener
};

/// A mount over RDMA, as fstab(5) or the kernel has it.
struct NfsMount {
    std::string what{}, where{};             ///< "10.0.0.1:/export", "/mnt"
    bool in_fstab = false, automatic = true; ///< automatic: there without being asked for
    bool mounted = false;
    bool over_rdma = false; ///< of one that is mounted
};

struct Services {
    bool plugin_installed = false, plugin_loaded = true; ///< loaded: also where it is not known
    bool plugin_replaced = false; ///< the daemon runs a file that is no more: another version has taken its place
    /// The dispatcher helper's file, when nm-dispatcher refuses to run it, or when it is not there.
    std::string refused_dispatcher{}, missing_dispatcher{};
    std::map<std::string, std::string> mislabelled{}; ///< path, and the type in SELinux's label, where it enforces
    std::set<std::string> failed_units{};             ///< "opensm@0x0002c9030010c0de.service"
    bool openibd = false;                             ///< the vendor's service is active
    std::set<std::string> networkd{};                 ///< IPoIB interfaces that systemd-networkd configures
    std::set<std::string> managed{};                  ///< interfaces that NetworkManager manages
    std::optional<std::uint64_t> wait_online_end{};   ///< microseconds after boot; nothing where it did not run
    std::vector<MemlockLimit> limits{};
    std::vector<KernelLine> log{};
    NfsServer nfs_server{};
    std::vector<NfsMount> nfs_mounts{};
    bool srp_daemon = false;                          ///< the service that starts one for each port is active
    std::map<std::string, std::string> srp_daemons{}; ///< systemd's word, "active", by HCA and port, "mlx4_0:1"
};

/// An IPv4 network that an IPoIB interface is in.
struct IpNetwork {
    std::string interface, network; ///< "10.0.0.0/24"
    /// It answers ARP for its own addresses only, announces no others, and takes packets that another would have sent
    /// (arp_ignore, arp_announce, rp_filter): the administrator has thought of interfaces that share a subnet.
    bool answers_alone = false;
};

struct Host {
    std::vector<RdmaDevice> devices{};
    std::vector<RdmaDevice> others{}; ///< that the command line leaves out
    bool has_device = true;           ///< of the machine; `devices` has those that are looked at
    bool has_daemon = true;           ///< NetworkManager was asked for profiles
    bool has_ipoib = true;            ///< the module ib_ipoib is there
    bool has_umad = true;             ///< likewise ib_umad
    bool has_opensm = false;          ///< opensm is installed here
    /// Functions of InfiniBand cards that have a PCI driver and no RDMA device: PCI address and driver.
    std::vector<std::pair<std::string, std::string>> bare_functions{};
    std::vector<std::string> unbound_functions{}; ///< the same without any driver: PCI address
    bool has_vendor_stack = false; ///< the vendor's modules (mlx_compat) are loaded, not the kernel's own
    /// Devices of libibverbs (uverbs0) without a node in /dev, and RDMA devices without a provider for it, with that
    /// provider's name.
    std::vector<std::pair<std::string, std::string>> missing_nodes{}, missing_providers{};
    std::vector<IpNetwork> networks{}; ///< of IPoIB interfaces
    std::vector<ProfileState> profiles{};
    std::vector<StrayFile> files{};
    std::shared_ptr<const NamingWorld> naming{}; ///< null: not read
    Services services{};
    std::set<std::string> wanted{}; ///< interfaces that profiles are for
    bool named = false;             ///< the command line names a port or a profile, and only that is looked at

    bool looks_at(const RdmaDevice &device) const
    {
        for (const auto &d : devices)
            if (d.name == device.name) return true;
        return false;
    }
    /// The card of a virtual function; null if it is not known here.
    const RdmaDevice *card_of(const RdmaDevice &function) const
    {
        for (const auto *all : {&devices, &others})
            for (const auto &device : *all)
                if (function.physical_function && device.bus == *function.physical_function) return &device;
        return nullptr;
    }
    /// A port that neither a profile nor the command line names may be without a cable.
    bool wants(const PortNetdev &netdev) const { return named || wanted.contains(netdev.name.str()); }
    bool wants(const RdmaPort &port) const
    {
        for (const auto &n : port.interfaces)
            if (wants(n)) return true;
        return named;
    }
};

} // namespace nmib
