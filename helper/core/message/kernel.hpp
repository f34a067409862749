// SPDX-License-Identifier: LGPL-2.1-or-later
/// The kernel's log.
#pragma once
#include "core/message/kind.hpp"

namespace nmib::catalogue
{

inline constexpr Kind kernel_kinds[] = {
    {"modules-of-two-stacks", N_("the kernel refused a module of another RDMA stack: {value}"),
     N_("The module was built for another RDMA stack than the loaded stack (the kernel's and the "
        "vendor's stack do not mix)."),
     By::hands, N_("Build the module again for the loaded stack, or remove the vendor's stack")},
    {"module-not-signed", N_("the kernel refused a module without a valid signature: {value}"),
     N_("With Secure Boot the kernel loads signed modules only. Modules that dkms builds are not signed."), By::hands,
     N_("mokutil --import the key of dkms and reboot; or use the kernel's own drivers")},
    {"nfs-rdma-length", N_("NFS over RDMA reported a length error: {value}"),
     N_("In some kernels, NFS version 4 over RDMA sends more than the other end accepts."), By::hands,
     N_("Mount with vers=3, or install a newer kernel at both ends")},
    {"selinux-denied", N_("SELinux denied an access: {value}"),
     N_("SELinux denied this to the dispatcher helper or to nm-ib, and the denied change is not made."), By::hands,
     N_("Restore the labels. If the denial comes again, the policy lacks a rule, which the log shows"),
     "restorecon -RF /usr/lib/NetworkManager /usr/libexec/nm-infiniband /run/NetworkManager\njournalctl -k -b -g avc"},
    {"nfs-rdma-no-registration", N_("NFS over RDMA cannot register memory: {value}"),
     N_("NFS over RDMA needs a card that registers memory fast (frwr); mounts through another card "
        "end with 'access denied by server'."),
     By::hands, N_("Mount without rdma, or through another card; software HCAs: rdma.soft-rdma rxe in the profile")},
    {"card-hot", N_("{where} reported a high temperature: {value}"),
     N_("A hot card or transceiver loses its link; in the end the card turns itself off."), By::hands,
     N_("Check fans and airflow; an optical cable needs more cooling than a copper one. The present temperature"),
     "sensors"},
    {"card-power", N_("{where} refused a transceiver for its power: {value}"),
     N_("The transceiver needs more power than the slot of the card offers, and stays off."), By::hands,
     N_("Use a cable of a lower power class, or a card that supplies enough power for this one")},
    {"card-power-unclear", N_("{where} reports too little power of its PCI slot: {value}"),
     N_("Many machines announce no power for a slot. This matters only if a link fails, too."), By::hands,
     N_("Nothing, if all ports work; otherwise use another slot")},
    {"cable-fault", N_("{where} reports a fault of its cable: {value}"),
     N_("The card cannot read the cable or does not accept it: the port stays down, or runs slowly."), By::hands,
     N_("Put the plug in again, or use a cable on the vendor's list for this card")},
    {"cable-unplugged", N_("{where} reports that its cable was unplugged: {value}"),
     N_("A profile needs the port, and the last event is that the cable was unplugged."), By::hands,
     N_("Plug in the cable")},
    {"firmware-command-failed", N_("{where}: a firmware command failed: {value}"),
     N_("Driver and firmware do not agree, or the firmware no longer answers; functions of the card may be missing."),
     By::hands, N_("Update firmware and driver together. To see all lines of the card"),
     "journalctl -k -b -g {subject}"},
    {"card-resources", N_("{where} has no more resources for programs: {value}"),
     N_("Each program that opens the card needs a page of the card's memory (UAR); the firmware limits their number."),
     By::hands, N_("Raise PF_LOG_BAR_SIZE with mlxconfig and reboot, or run fewer processes on the card")},
    {"firmware-fault", N_("{where}: its firmware reports a fault: {value}"),
     N_("The driver resets the card or gives the card up: ports go down, and may not come back."), By::hands,
     N_("Reboot, or power the machine off and on; if the fault returns, update the firmware or replace the card"),
     "journalctl -k -b -g {subject}"},
};

} // namespace nmib::catalogue
