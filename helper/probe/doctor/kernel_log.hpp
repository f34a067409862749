// SPDX-License-Identifier: LGPL-2.1-or-later
/// The kernel's log.
#pragma once
#include "core/base/result.hpp"
#include "core/doctor/host.hpp"

#include <string_view>

namespace nmib
{

/// A record of /dev/kmsg (Documentation/ABI/testing/dev-kmsg); nothing where it is none.
std::optional<KernelLine> parse_kernel_record(std::string_view record);

/// All that the kernel still has of it. An ordinary user may be refused (kernel.dmesg_restrict).
Result<std::vector<KernelLine>> read_kernel_log();

} // namespace nmib
