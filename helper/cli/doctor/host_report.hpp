// SPDX-License-Identifier: LGPL-2.1-or-later
/// The JSON of `port --json` and of `doctor --json`, read back.
#pragma once
#include "core/doctor/merge.hpp"

namespace nmib::cli
{

/// The text of one file, from whoever sent it. Unknown keys are ignored; one that is known and holds
/// what it cannot makes the whole an error, which names it.
Result<HostReport> parse_host_report(std::string_view text);

} // namespace nmib::cli
