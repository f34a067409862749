// SPDX-License-Identifier: LGPL-2.1-or-later
/// Declares Json for headers that only pass JSON on. A file that reads or makes JSON includes json.hpp.
#pragma once
#include <nlohmann/json_fwd.hpp>

namespace nmib::cli
{

using Json = nlohmann::ordered_json;

} // namespace nmib::cli
