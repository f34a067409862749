// SPDX-License-Identifier: LGPL-2.1-or-later
/// Values that differ from those of --expect.
#pragma once
#include "core/message/kind.hpp"

namespace nmib::catalogue
{

inline constexpr Kind expect_kinds[] = {
    {"expected-missing", N_("{where} is expected, and is not there"),
     N_("The card, port or interface is lost, or has another name."), By::hands,
     N_("Other findings may have the cause. To see what is there"), "nm-ib port"},
    {"expected-differs", N_("{where}: {key} is {now}, and {wanted} is expected"),
     N_("The file of --expect has another value."), By::hands,
     N_("Other findings may have the cause. To see all values"), "nm-ib port show {where}"},
    {"expected-ports",
     N_("too few active ports: {expected} with at least {gbps} Gb/s are expected; found: {count}{others}"),
     N_("Programs that use all ports are slower, or do not start."), By::hands,
     N_("Other findings may have the cause. To see all ports"), "nm-ib port"},
};

} // namespace nmib::catalogue
