// SPDX-License-Identifier: LGPL-2.1-or-later
/// Storage over RDMA.
#pragma once
#include "core/message/kind.hpp"

namespace nmib::catalogue
{

inline constexpr Kind storage_kinds[] = {
    {"nfs-rdma-not-listening", N_("the NFS server should listen for RDMA ({where}: {subject}), but listens on {value}"),
     N_("Clients that mount with rdma fail with 'Connection refused'. With rdma=y the server needs "
        "the name nfsrdma, which /etc/services often lacks, and the server logs no error. Other "
        "changes of nfs.conf take effect after a restart of nfs-server."),
     By::command, "", "nfsconf --file {where} --set nfsd rdma 20049\nsystemctl restart nfs-server"},
    {"nfs-rdma-no-device", N_("/etc/fstab has {value} on {where} over RDMA, and this machine has no RDMA device"),
     N_("The mount fails with 'Protocol error'."), By::hands,
     N_("A card: load its modules. An Ethernet interface: set rdma.soft-rdma to rxe in its "
        "profile (nm-ib connection modify), on the server too")},
    {"nfs-rdma-not-mounted", N_("/etc/fstab has {value} on {where} over RDMA, and it is not mounted"),
     N_("The error of mount shows the cause. 'Connection refused': the server does not listen for "
        "RDMA, or on another port. 'access denied': the card cannot register memory fast. mount "
        "waits: a firewall blocks UDP port 4791 (RoCE) or the service's TCP port (iWARP)."),
     By::hands,
     N_("Mount the file system and read the error. On the server, nm-ib doctor reports whether "
        "it listens"),
     "mount {where}"},
    {"nfs-rdma-over-tcp", N_("/etc/fstab has {value} on {where} over RDMA, but it is mounted without RDMA"),
     N_("The file system was mounted before the line changed, or by another program. All its traffic uses TCP."),
     By::hands, N_("Once no program uses the file system"), "umount {where}\nmount {where}"},
    {"srp-daemon-inactive",
     N_("{where} is active, but its SRP daemon is not ({value}), although srp_daemon.service is active"),
     N_("No program logs in to the storage targets of the subnet: their disks are missing. The "
        "daemon ends without an error where libibverbs does not find the device."),
     By::hands, N_("The log has the reason; then start the daemon"),
     "journalctl -b -u srp_daemon_port@{subject}\nsystemctl start srp_daemon_port@{subject}"},
};

} // namespace nmib::catalogue
