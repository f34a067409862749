// SPDX-License-Identifier: LGPL-2.1-or-later
/// The rdma.* words of profiles.
#pragma once
#include "core/message/kind.hpp"

namespace nmib::catalogue
{

inline constexpr Kind rdma_kinds[] = {
    {"rdma-device-missing", N_("{where}: {word} waits: no RDMA device is on the interface yet")},
    {"rdma-no-roce",
     N_("{where}: {word} has no effect on {port}, which is not a RoCE port; remove the word from profile '{profile}'")},
    {"rdma-no-cm", N_("{where}: {word} cannot be set on {port}: the module rdma_cm is not loaded (modprobe rdma_ucm)")},
    {"rdma-roce-version", N_("{where}: {word}: {port} has only the other version of RoCE")},
    {"rdma-contended", N_("{where}: profile '{other}' requests another RoCE value of {port}: the profile that was "
                          "activated last overrides")},
    {"rdma-name-taken", N_("{where}: RDMA device {device} is not made: another interface has a device of that name")},
    {"rdma-no-vf", N_("{where}: {word}: this virtual function does not exist (sriov.total-vfs in the profile makes "
                      "virtual functions)")},
    {"rdma-vf-in-use",
     N_("{where}: virtual function {vf} is in use and keeps its GUID; {guid} is set once it is not in use")},
    {"rdma-vf-bound", N_("{where}: the driver of virtual function {vf} has read its GUID before; {guid} takes effect "
                         "once the driver is unbound and bound again")},
    {"rdma-word-bad", N_("{where}: profile '{profile}': {refusal}")},
};

} // namespace nmib::catalogue
