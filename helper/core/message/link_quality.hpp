// SPDX-License-Identifier: LGPL-2.1-or-later
/// Width, speed and errors of links.
#pragma once
#include "core/message/kind.hpp"

namespace nmib::catalogue
{

inline constexpr Kind link_quality_kinds[] = {
    {"link-narrow", N_("{where} runs at {value}, and {subject} is possible"),
     N_("Lanes fail because of a dirty plug, a damaged cable, or a plug that is not fully inserted."), By::hands,
     N_("Clean the plug and plug it in again, or replace the cable. To see the new width and the errors"),
     "nm-ib port show {where}"},
    {"link-slow", N_("{where} runs at {value}, and both ends support {subject}"),
     N_("The ends agree on a lower speed if the cable is not made for the higher speed, or fails at it."), By::hands,
     N_("Check the type of the cable, or replace the cable. To see the new speed and the errors"),
     "nm-ib port show {where}"},
    {"link-limited", N_("{where} runs at {value}, which its settings allow at most; both ends support {subject}"),
     N_("A setting of the port, or of the switch port at the other end, limits the link."), By::hands,
     N_("If this is not intended, enable all speeds and widths again (opensm.conf: force_link_speed, "
        "force_link_width). To see the settings of both ends"),
     "iblinkinfo -l -D 0 -C {hca} -P {port}"},
    {"pci-link-narrow", N_("{where}: the PCI link at {subject} runs at {current}, and can run at {possible}"),
     N_("The traffic of all ports of the card shares this link."), By::hands,
     N_("Reseat the card, or use another slot; check the riser and the firmware settings. To see the link and PCI "
        "errors"),
     "lspci -vv -s {subject}\njournalctl -k -b -g {subject}"},
    {"link-errors", N_("{where}: {counter} has risen by {count} in the last {hours} hours"),
     N_("Such errors drop or repeat packets: a dirty or damaged cable or plug, or a failing port."), By::hands,
     N_("Clean the plugs or replace the cable. To see the errors of both ends"),
     "perfquery -x -C {hca} -P {port}\nibqueryerrors -C {hca} -P {port}"},
    {"link-flaps", N_("{where}: the link went down {count} times in the last {hours} hours"),
     N_("Each time, the subnet manager sets up the port again, and connections wait or break."), By::hands,
     N_("Replace the cable or use another port of the switch. The kernel's log may have the times"),
     "journalctl -k -b -g {subject}"},
    {"counters-full", N_("{where}: these error counters are full: {value}"),
     N_("A full counter does not count: new errors cannot be seen."), By::command, "",
     "perfquery -R -C {hca} -P {port}"},
};

} // namespace nmib::catalogue
