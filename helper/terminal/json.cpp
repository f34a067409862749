// SPDX-License-Identifier: LGPL-2.1-or-later
#include "terminal/json.hpp"

#include "config.h"

#include <cstdio>
#include <glib.h>

namespace nmib::cli
{

Json json_object(int schema) { return {{"schema", schema}, {"host", g_get_host_name()}, {"version", NMIB_VERSION}}; }

Json or_null(const std::string &text) { return text.empty() ? Json() : Json(text); }

void print_json(const Json &json) { std::puts(json.dump(-1, ' ', false, Json::error_handler_t::replace).c_str()); }

} // namespace nmib::cli
