// SPDX-License-Identifier: LGPL-2.1-or-later
/// What an activation changes, and what it cannot do. doctor has the rows with a reason.
#pragma once
#include "core/message/kind.hpp"

namespace nmib::catalogue
{

inline constexpr Kind plan_kinds[] = {
    {"no-subnet-manager", N_("{where}: no subnet manager has set up {hca} port {port} (SM LID 0)"),
     N_("The link is up (state {value}). Without a subnet manager, the port has no address in the subnet, and its "
        "interfaces have no carrier."),
     By::command,
     N_("One host of the subnet, or a switch, has to run a subnet manager. To see the active one: "
        "sminfo -C {hca} -P {port}. To run one here")},
    {"pkey-not-in-table",
     N_("{where}: P_Key {key} is not in the P_Key table of {hca} port {port}: no carrier until "
        "the subnet manager adds it"),
     N_("The subnet manager has not put this port into the partition."), By::hands,
     N_("In partitions.conf of the subnet manager: NAME={key}, ipoib: ALL=full; then: systemctl restart opensm. On "
        "its host, nm-ib host opensm GUID --dry-run prints the lines that profiles need")},
    {"pkey-limited",
     N_("{where}: {hca} port {port} is a limited member of the partition of P_Key {key}: it reaches "
        "full members only"),
     N_("The subnet manager decides which ports are full members."), By::hands,
     N_("In partitions.conf of the subnet manager: make this port, or the one that it has to reach, a full member "
        "(=full)")},
    {"connected-impossible",
     N_("{where}: profile '{profile}' requests connected mode, which is not possible: {cause}{effect}"),
     N_("Enhanced IPoIB (ConnectX-4 and later) has datagram mode only, with an MTU of at most 4092. A quirk or the "
        "driver can also refuse connected mode. NetworkManager in the initramfs has no plugin and fails there."),
     By::fix, "", "nm-ib connection modify uuid {uuid} infiniband.transport-mode datagram", Of::property},
    {"no-mode-file",
     N_("{where}: no 'mode' file in sysfs (a child made over rtnetlink, or a kernel without connected "
        "mode): NetworkManager cannot activate the interface"),
     N_("NetworkManager writes the mode of each InfiniBand interface that it activates."), By::hands,
     N_("Delete a child that was made with ip link. Otherwise, use a kernel with CONFIG_INFINIBAND_IPOIB_CM")},
    {"mtu-limited", N_("{where}: MTU {asked} was requested, {got} is in effect: {cause}"),
     N_("In datagram mode the broadcast group of the partition limits the MTU. The subnet manager makes this group."),
     By::hands,
     N_("Up to 4092: in partitions.conf of the subnet manager, mtu=5 (4096 bytes) at the partition. More: connected "
        "mode, if the port supports it. Otherwise lower the MTU of the profile")},
    {"mtu-unknown", N_("{where}: MTU {asked} was requested, {got} is set: the limit of the subnet is known once the "
                       "link has a carrier")},
    {"profile-in-wrong-partition",
     N_("{where}: profile '{profile}' is for P_Key {key}, and {where} is the interface of P_Key {other}: its addresses "
        "are in the wrong partition. Set infiniband.parent (a name of at most 10 characters), and no mac-address"),
     N_("The traffic of the profile would go to another partition than the profile names."), By::hands,
     N_("To see what an activation would do"), "nm-ib plan {uuid}"},
    {"partition-unasked",
     N_("{where}: profile '{profile}' names neither an interface nor a P_Key, and {where} is the interface of P_Key "
        "{other}. If the profile is for the port, set connection.interface-name to the port's name"),
     N_("NetworkManager may activate such a profile on any InfiniBand interface, also on a P_Key child."), By::hands,
     N_("To see what an activation would do"), "nm-ib plan {uuid}"},
    {"pkey-membership-added", N_("{where}: profile '{profile}' has P_Key {key}, using {other} instead: the kernel "
                                 "always sets the full-membership bit")},
    {"pkey-taken",
     N_("{where}: P_Key {key} is already the P_Key of {holder}, and the kernel makes one interface for "
        "each P_Key"),
     N_("The profile cannot be activated."), By::hands, N_("Use the existing interface, or delete it")},
    {"profile-for-other-port",
     N_("{where}: profile '{profile}' has the mac-address of another port; NetworkManager "
        "does not activate it here"),
     N_("NetworkManager compares the port's GUID in the address, and never activates the profile here."), By::command,
     "", "nm-ib connection modify uuid {uuid} infiniband.mac-address ''", Of::property},
    {"not-carried",
     N_("{where}: profile '{profile}' is for type {type} on an InfiniBand interface; the kernel refuses "
        "this, because the address has 20 bytes, not 6"),
     N_("The profile cannot be activated."), By::hands,
     N_("For a network of its own: a P_Key child (nm-ib connection add type infiniband p-key KEY). For a virtual "
        "machine or a container: a virtual function, or a RoCE port")},
    {"opted-out", N_("{where}: profile '{profile}' leaves everything to NetworkManager (rdma.skip yes)")},
    {"profile-changed", N_("{where}: profile '{profile}' was changed since it was activated here, and is for another "
                           "interface now")},
    {"parent-name-long",
     N_("{where}: its parent's name {parent} has more than 10 characters: kernel and "
        "NetworkManager name P_Key children differently. Use a shorter name"),
     N_("The child cannot be made under a name that NetworkManager finds."), By::hands,
     N_("Give the port a shorter name (nm-ib name set)")},
    {"quirk-warning", N_("{where}: {warning} (quirk {quirk})")},
    {"quirk-kernel",
     N_("{where}: quirk {quirk}: handled by the kernel, which does not offer {feature} on this device")},
    {"quirk-unknown", N_("{where}: quirk {quirk}: this kernel has no offload named {feature}")},
    {"quirk-already", N_("{where}: quirk {quirk}: {feature} is already as it should be")},
    {"quirk-refused",
     N_("{where}: quirk {quirk} not applied: profile '{profile}' requests {feature} explicitly; data "
        "may be corrupted"),
     N_("A quirk turns this offload off; the file of the quirk has the reason."), By::hands,
     N_("Take the setting out of the profile"), "", Of::property},
    {"quirk-unread",
     N_("{where}: a value that a quirk compares cannot be read: {error}. If the quirk applies, data "
        "may be corrupted. Correct the error, then activate the profile again; the device plugin "
        "retries by itself"),
     N_("Some cards corrupt large packets that they cut themselves, and nm-ib does not know whether this card does."),
     By::hands, N_("Correct the read error, then apply the profile again"),
     "nm-ib plan {where}\nnmcli device reapply {where}"},
};

} // namespace nmib::catalogue
