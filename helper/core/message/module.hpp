// SPDX-License-Identifier: LGPL-2.1-or-later
/// Modules, drivers, and whether nm-ib sees the devices.
#pragma once
#include "core/message/kind.hpp"

namespace nmib::catalogue
{

inline constexpr Kind module_kinds[] = {
    {"no-rdma-device", N_("{where}, an InfiniBand card with the driver {subject}, has no RDMA device"),
     N_("The module that makes the RDMA device is not loaded, or failed: there is no port and no interface."),
     By::hands,
     N_("To load the module at each boot, add its name to a file in /etc/modules-load.d. To load the module now, "
        "and to see the kernel's reason if that fails"),
     "modprobe {value}\njournalctl -k -g {where}"},
    {"rdma-device-lost",
     N_("{where}, an InfiniBand card with the driver {subject}, has no RDMA device, although {value} is loaded"),
     N_("The card failed at the start, or was taken away after a fault: there is no port and no interface."), By::hands,
     N_("If the log shows a fault, power the machine off and on, or update the firmware. To see the log"),
     "journalctl -k -b -g {where}"},
    {"no-ipoib-module", N_("the module ib_ipoib is not loaded; ports without an interface: {value}"),
     N_("The module makes the interfaces of InfiniBand ports (ib0)."), By::fix,
     N_("To load the module at each boot as well, add its name to a file in /etc/modules-load.d. To load the module "
        "now"),
     "modprobe ib_ipoib"},
    {"no-umad-module", N_("the module ib_umad is not loaded"),
     N_("sminfo, ibportstate, opensm and nm-ib cannot query ports."), By::fix,
     N_("To load the module at each boot as well, add its name to a file in /etc/modules-load.d. To load the module "
        "now"),
     "modprobe ib_umad"},
    {"no-driver", N_("{where} is an InfiniBand card without a driver"),
     N_("Without a driver there is no port and no interface."), By::hands,
     N_("The driver is not loaded, or has logged why it refused the card. To load the driver, if it is known, and to "
        "see "
        "the log"),
     "modprobe {value}\njournalctl -k -g {where}"},
    {"no-driver-of-vendor", N_("{where} is an InfiniBand card without a driver, and the vendor's modules are loaded"),
     N_("The vendor's stack does not support older cards (ConnectX-3 and before), and its modules "
        "keep the kernel's modules out."),
     By::hands,
     N_("Remove the vendor's stack, or put in a card that it knows; the kernel's own mlx4_core drives older cards")},
    {"profile-without-device", N_("no RDMA device found, and profiles wait for one: {value}"),
     N_("The machine does not see the card, or no driver knows it."), By::hands,
     N_("The cards that the machine sees, and the log of their drivers"), "lspci -nn\njournalctl -k -b"},
    {"no-uverbs-module", N_("the module ib_uverbs is not loaded"),
     N_("Programs that use RDMA through libibverbs find no device."), By::fix,
     N_("To load the module at each boot as well, add its name to a file in /etc/modules-load.d. To load the module "
        "now"),
     "modprobe -a ib_uverbs rdma_ucm"},
    {"no-ucm-module", N_("the module rdma_ucm is not loaded"),
     N_("Programs that connect through librdmacm find no device, and the RoCE version cannot be set."), By::fix,
     N_("To load the module at each boot as well, add its name to a file in /etc/modules-load.d. To load the module "
        "now"),
     "modprobe rdma_ucm"},
    {"module-of-other-kernel", N_("the running kernel {subject} has no module {where}; these kernels have it: {value}"),
     N_("The modules of this kernel were removed by an update, or not installed."), By::hands,
     N_("Reboot into an installed kernel, or install the modules of this kernel (kernel-modules on RHEL, "
        "linux-modules-extra on Ubuntu)")},
    {"module-not-built", N_("no installed kernel has the module {where}"),
     N_("A kernel for clouds or an own kernel can lack InfiniBand; on RHEL the package kernel-modules has the "
        "modules."),
     By::hands, N_("Install the kernel or the package that has the module, then load the module")},
    {"module-refused", N_("the kernel refused the module {where}: {value}"),
     N_("The module is installed, but does not fit the kernel or the modules that are loaded."), By::hands,
     N_("Install kernel, drivers and modules from one source. To repeat the attempt and see the reason"),
     "modprobe {where}\njournalctl -k -b -g {where}"},
    {"driver-failed", N_("{where}: the driver reports: {value}"),
     N_("Without the driver there is no port and no interface."), By::hands,
     N_("Often the firmware is too old for the driver, or the machine gives the card too few resources. To see all "
        "lines"),
     "journalctl -k -b -g {where}"},
    {"devices-hidden", N_("the RDMA device of {where} belongs to another network namespace"),
     N_("The RDMA subsystem is in mode exclusive: each device is visible in one network namespace only."), By::hands,
     N_("On the host, move the device here: rdma dev set DEVICE netns NAME. The mode shared (rdma system set netns "
        "shared) can be set only while no other network namespace exists, for example early at boot")},
};

} // namespace nmib::catalogue
