// SPDX-License-Identifier: LGPL-2.1-or-later
/// What else runs on the machine that decides about InfiniBand.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace nmib
{

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
    bool name_unknown = false; ///< "y" makes rpc.nfsd look for a name that /etc/services has not, and nobody listens
};

/// A mount over RDMA, as fstab(5) or the kernel has it.
struct NfsMount {
    std::string what{}, where{};             ///< "10.0.0.1:/export", "/mnt"
    bool in_fstab = false, automatic = true; ///< automatic: there without being asked for
    bool mounted = false;
    bool over_rdma = false; ///< of one that is mounted
};

struct Services {
    bool plugin_installed = false, plugin_loaded = true; ///< loaded: also where nobody can tell
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

} // namespace nmib
