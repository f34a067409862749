// SPDX-License-Identifier: LGPL-2.1-or-later
/// Profiles and their interfaces.
#pragma once
#include "core/message/kind.hpp"

namespace nmib::catalogue
{

inline constexpr Kind profile_kinds[] = {
    {"profile-without-interface", N_("profile '{subject}' is for {where}, which does not exist"),
     N_("The profile cannot be activated. A profile with autoconnect waits without a message."), By::hands,
     N_("Give the port a stable name (nm-ib name set), or change the profile's interface-name, or "
        "the parent of its P_Key. To see the interfaces"),
     "nm-ib port"},
    {"activation-failed", N_("profile '{subject}' is not active on {where}: its last activation failed ({value})"),
     N_("NetworkManager has used up its attempts, and pauses for minutes; a command or a new carrier starts the next."),
     By::hands, N_("Correct the cause, then activate the profile"),
     "journalctl -b -u NetworkManager -g {where}\nnmcli connection up uuid {uuid}"},
    {"no-dhcp-answer", N_("profile '{subject}' is not active on {where}: no DHCP server has answered"),
     N_("DHCP servers know an InfiniBand port by its client identifier only; this port sends {id} by default; programs "
        "that shorten this to 6 bytes "
        "show {six}."),
     By::hands, N_("Give the server a host entry with this identifier, or give the profile a static address; then"),
     "nmcli connection up uuid {uuid}"},
    {"nvswitch-profile", N_("profile '{subject}' is for {where}, a port that manages the machine's NVSwitches"),
     N_("The port belongs to the fabric manager of the machine: traffic and settings of others disturb it."), By::hands,
     N_("Give the profile a port for users, or delete the profile. To see the ports"), "nm-ib port"},
    {"child-without-profile", N_("{where} is a P_Key child (P_Key {value}) without a profile"),
     N_("A deleted profile or another program left the interface behind. No other interface of the port can use its "
        "P_Key."),
     By::hands, N_("If no program needs the interface"), "ip link delete {where}"},
    {"kernel-name",
     N_("profiles are bound to names that depend on the order in which the kernel finds the ports: {value}"),
     N_("With several cards, the next boot may give the name to another port."), By::hands,
     N_("Give the ports stable names"), "nm-ib name propose --dry-run"},
    {"name-misleads", N_("{where}, an interface of type {value}, has a name of the other type"),
     N_("Programs that decide by the name take the interface for one of the other type."), By::hands,
     N_("Give the port another name (nm-ib name set for InfiniBand, a .link file for Ethernet)")},
    {"pkey-looks-decimal",
     N_("profile '{subject}' has the P_Key {value}, read as a decimal number; the port of {where} has 0x{value}"),
     N_("Without 0x a P_Key is decimal: the profile names another partition, and the port is not a "
        "member of that partition."),
     By::fix, "", "nm-ib connection modify uuid {uuid} infiniband.p-key 0x{value}", Of::property},
    {"infiniband-profile-on-ethernet",
     N_("profile '{subject}' is of type infiniband, and {where} is an Ethernet port of an RDMA card"),
     N_("The link type of a card's port is set in its firmware, and some tools set it to Ethernet; the profile cannot "
        "be activated."),
     By::hands,
     N_("Make the profile one of type ethernet; or make the port one for InfiniBand and reboot, which a card with "
        "firmware for Ethernet refuses")},
    {"ethernet-profile-on-infiniband",
     N_("profile '{subject}' is of type ethernet, and {where} is an InfiniBand interface"),
     N_("NetworkManager never activates the profile there. Tools that support only addresses of 6 "
        "bytes write such profiles."),
     By::hands,
     N_("Make a profile of type infiniband for {where}, with the addresses of this profile, and delete this one. Its "
        "addresses"),
     "nmcli -f ipv4,ipv6 connection show uuid {uuid}", Of::form},
    {"bond-not-active-backup", N_("profile '{subject}' makes {where} a port of a bond with mode {value}"),
     N_("IPoIB interfaces work in a bond of mode active-backup only: they cannot change their address."), By::command,
     N_("In effect once the bond is activated again"), "", Of::property},
    {"vfs-impossible",
     N_("profile '{subject}' requests {value} virtual functions of {where}, and its card offers none"),
     N_("The card's firmware, or the machine's, has SR-IOV turned off."), By::hands,
     N_("Turn on SR-IOV in the machine's firmware and in the card's, then reboot")},
};

} // namespace nmib::catalogue
