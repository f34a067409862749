// SPDX-License-Identifier: LGPL-2.1-or-later
/// The output of commands with --json.
#pragma once
#include "terminal/json_fwd.hpp"

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace nmib::cli
{

/// Returns an object with "schema", "host" and "version". If a key changes its meaning, increment the command's schema.
Json json_object(int schema = 1);
/// Returns null for an empty text or a missing value.
Json or_null(const std::string &text);
template<class T> Json or_null(const std::optional<T> &value) { return value ? Json(*value) : Json(); }
/// Prints one line, in UTF-8 in every locale.
void print_json(const Json &json);

} // namespace nmib::cli
