// SPDX-License-Identifier: LGPL-2.1-or-later
/// Parses the JSON of `port --json` and `doctor --json`.
#pragma once
#include "core/doctor/merge.hpp"

namespace nmib::cli
{

/// `text`: one untrusted file. Unknown keys are ignored. A known key with an invalid value is an Error that names the
/// key.
Result<HostReport> parse_host_report(std::string_view text);

} // namespace nmib::cli
