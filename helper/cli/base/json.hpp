// SPDX-License-Identifier: LGPL-2.1-or-later
/// What verbs print for --json.
#pragma once
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace nmib::cli
{

using Json = nlohmann::ordered_json;

/// The beginning of each object that is printed: "schema", "host" and "version". A key that changes its meaning makes
/// the schema of its verb one higher.
Json json_object(int schema = 1);
/// Null for an empty text, and for no value.
Json or_null(const std::string &text);
template<class T> Json or_null(const std::optional<T> &value) { return value ? Json(*value) : Json(); }
/// Prints one line of UTF-8, whatever the locale.
void print_json(const Json &json);

} // namespace nmib::cli
