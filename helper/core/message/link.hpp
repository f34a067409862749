// SPDX-License-Identifier: LGPL-2.1-or-later
/// Cable, physical state, virtual functions.
#pragma once
#include "core/message/kind.hpp"

namespace nmib::catalogue
{

inline constexpr Kind link_kinds[] = {
    {"port-polling", N_("{where} is down, and looks for a link (Polling)"),
     N_("The cable is missing, or the device at the other end is off or set to another speed."), By::hands,
     N_("Plug in the cable, or check the switch or the other host; then"), "nm-ib port show {where}"},
    {"port-disabled", N_("{where} is down: it was disabled"),
     N_("A disabled port stays down until a command enables the port. Some cards report a port without a cable in this "
        "way."),
     By::hands, N_("Check the cable. To enable the port"), "ibportstate -C {hca} -P {port} -D 0 {port} enable"},
    {"port-training", N_("{where} is down: the link stays in state {value}"),
     N_("A bad cable or plug has this effect."), By::hands, N_("Try another cable. The errors of the port"),
     "perfquery -C {hca} -P {port}"},
    {"vf-without-guid", N_("{where} belongs to a virtual function that has no GUID"),
     N_("The subnet manager cannot distinguish the function from others: the port stays down, "
        "programs that use the RDMA connection manager fail."),
     By::hands,
     N_("On the host that has the card: set rdma.vf-guids to auto in the card's profile and activate the profile, then "
        "bind the function's driver again")},
    {"vf-link-down", N_("{where} belongs to a virtual function, and is down"),
     N_("The link of a virtual function follows the link of the card only in the state auto."), By::hands,
     N_("On the host that has the card: set the state of this function to auto (ip-link(8), vf). If it is auto: the "
        "subnet manager has to support virtual ports, see vf-without-subnet-manager in nm-ib-doctor(7)")},
};

} // namespace nmib::catalogue
