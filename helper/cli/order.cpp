// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/order.hpp"

#include <algorithm>
#include <array>
#include <glib.h>
#include <iterator>

namespace nmib::cli
{

namespace
{
constexpr std::size_t place_of_type = 1;

/// How early a property is read.
std::size_t place_of(std::string_view word)
{
    if (word.starts_with('+') || word.starts_with('-')) word.remove_prefix(1);
    const auto is = [&](std::initializer_list<std::string_view> names) {
        return std::find(names.begin(), names.end(), word) != names.end();
    };
    if (is({"connection.port-type", "port-type", "connection.slave-type", "slave-type"})) return 0;
    if (is({"connection.type", "type"})) return place_of_type;
    if (is({"connection.controller", "controller", "connection.master", "master"})) return 2;
    return 3;
}
} // namespace

bool is_our_type(const std::string &word)
{
    constexpr const char *ours = "infiniband";
    return word.size() >= 2 && g_ascii_strncasecmp(word.c_str(), ours, word.size()) == 0;
}

std::pair<Args, bool> in_order(Args args, Options &options)
{
    std::array<Words, 4> places;
    bool ours = false;
    while (!args.empty()) {
        if (take_own_option(args, options)) continue;
        const auto place = place_of(args.front());
        places[place].push_back(args.take());
        if (args.empty()) { // the value is missing: nothing is read after that
            std::fill(places.begin() + place + 1, places.end(), Words{});
            break;
        }
        places[place].push_back(args.take());
        ours |= place == place_of_type && is_our_type(places[place].back());
    }
    Words all;
    for (auto &words : places) std::move(words.begin(), words.end(), std::back_inserter(all));
    return {Args(std::move(all)), ours};
}

} // namespace nmib::cli
