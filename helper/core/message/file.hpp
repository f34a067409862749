// SPDX-License-Identifier: LGPL-2.1-or-later
/// Files that are not read or are misread; names of interfaces.
#pragma once
#include "core/message/kind.hpp"

namespace nmib::catalogue
{

inline constexpr Kind file_kinds[] = {
    {"keyfile-permissions", N_("{where} cannot be loaded: not owned by root, or readable by other users"),
     N_("A profile can hold secrets: NetworkManager reads only files that root alone can read."), By::fix, "",
     "chown root:root {where}\nchmod 600 {where}\nnmcli connection load {where}"},
    {"keyfile-broken", N_("{where} cannot be loaded: {value}"),
     N_("NetworkManager ignores a file that it cannot parse, and reports this in its log only."), By::hands,
     N_("Correct the line; then"), "nmcli connection load {where}", Of::form},
    {"keyfile-not-loaded", N_("{where} is not loaded"),
     N_("NetworkManager does not read a file that was written by hand until a command loads the file."), By::fix, "",
     "nmcli connection load {where}"},
    {"ifcfg-without-type", N_("{where} is for an InfiniBand interface, and has no TYPE=InfiniBand"),
     N_("NetworkManager takes the file for an Ethernet profile: the address of 20 bytes does not "
        "match, and ifup reports 'mismatching interface name'."),
     By::hands, N_("Add TYPE=InfiniBand, drop NM_CONTROLLED=no; then"), "nmcli connection load {where}"},
    {"ifcfg-unread", N_("{where} is for an InfiniBand interface, and NetworkManager has no profile of it"),
     N_("Newer releases do not read ifcfg files (EL 10 and Debian not at all): scripts that write "
        "such files change nothing. Other releases refuse a file with an error."),
     By::hands,
     N_("Correct what the log names; or add a profile (nm-ib connection add type infiniband) and delete the file"),
     "journalctl -u NetworkManager -g ifcfg"},
    {"ifcfg-in-use", N_("NetworkManager has InfiniBand profiles in {where}"),
     N_("EL 10 and Fedora read keyfiles only."), By::command, "", "nmcli connection migrate"},
    {"ifupdown2-infiniband", N_("{where} has the InfiniBand interface {value}, and ifupdown2 is installed"),
     N_("ifupdown2 does not support addresses of 20 bytes: where ifupdown2 checks addresses, no "
        "interface of the file comes up."),
     By::hands, N_("To let NetworkManager activate the interface, remove {value} from {where}; then"),
     "nm-ib connection add type infiniband ifname {value}"},
    {"words-without-profile", N_("{where} has rdma.* words, and no profile has this UUID"),
     N_("The words stay without the profile, and would apply to a new profile with the same UUID."), By::command, "",
     "rm {where}"},
    {"boot-word-ethernet", N_("{where} names {value} by an address of 6 bytes"),
     N_("An InfiniBand address has 20 bytes: the initramfs refuses the word, or the name matches no interface."),
     By::hands,
     N_("Remove the word from the command line. nm-ib name gives names in the initramfs too. To see its proposals"),
     "nm-ib name propose --dry-run"},
    {"boot-word-kernel-name",
     N_("{where} names {value}, a name that depends on the order in which the kernel finds the ports"),
     N_("With several ports, the next boot may give the name to another port, and the initramfs sets up the wrong "
        "one."),
     By::hands,
     N_("Name the port in the initramfs too (nm-ib name), and use this name on the command line. The proposals"),
     "nm-ib name propose --dry-run"},
    {"name-does-not-hold", "{state}",
     N_("At the next boot the interface gets another name, and profiles do not find the interface."), By::hands,
     N_("To see what prevents each name"), "nm-ib name check"},
    {"name-at-next-boot", "{state}",
     N_("Before the reboot, profiles and programs that use the new name do not find the port or device; after the "
        "reboot, those that use the old name."),
     By::hands, N_("Reboot. To see all names"), "nm-ib name check"},
    {"profile-loses-port",
     N_("at the next boot {where} has another name, and profiles are bound to the present name: {subject}"),
     N_("These profiles do not find the port, and the interface stays down."), By::command, ""},
    {"link-file-by-address", N_("{where} ties the name {value} to the hardware address of {subject}"),
     N_("The first 12 of the 20 bytes change, for instance when the driver is loaded again. Then "
        "the file does not match, and the name is lost."),
     By::command, N_("Tie the name to the GUID; nm-ib name import lists what would be lost with the file"),
     "nm-ib name import --yes"},
};

} // namespace nmib::catalogue
