// SPDX-License-Identifier: LGPL-2.1-or-later
/// Parses the JSON of `port --json` and `doctor --json`.
#pragma once
#include "core/merge/merge.hpp"

namespace nmib::cli
{

/// `text`: an untrusted file. Ignores unknown keys. If a known key has an invalid value, the Error names the key.
Result<HostReport> parse_host_report(std::string_view text);

} // namespace nmib::cli
