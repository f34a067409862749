// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/host/rails.hpp"

#include "core/base/text.hpp"

#include <algorithm>
#include <fmt/core.h>
#include <map>

namespace nmib
{

namespace
{
constexpr std::string_view start = "# rail ";
constexpr std::string_view uuid_letters = "0123456789abcdef-";

std::uint32_t mask(unsigned prefix) { return prefix == 0 ? 0 : ~std::uint32_t{0} << (32 - prefix); }

std::string dotted(std::uint32_t a)
{
    return fmt::format("{}.{}.{}.{}", a >> 24, a >> 16 & 255, a >> 8 & 255, a & 255);
}
} // namespace

std::optional<IfName> parse_rail_name(std::string_view word)
{
    constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
    if (word.find_first_not_of(letters) != word.npos || word == "all" || word == "default") return {};
    return IfName::parse(word);
}

HostFile rails_file(std::span<const Rail> rails)
{
    HostFile file{.directory = "/etc/sysctl.d", .name = "90-nm-ib-rails.conf"};
    if (rails.empty()) return file;
    std::string command = "rails", body, name;
    for (const auto &rail : rails) {
        const bool has_values = name == rail.interface.view();
        name = rail.interface.str();
        body += std::string(start) + name + " " + rail.uuid + "\n";
        if (has_values) continue;
        command += " " + name;
        // With "/" first, a dot belongs to the name (sysctl.d(5)).
        for (const auto &[key, value] : rail_values) body += "net/ipv4/conf/" + name + "/" + key + " = " + value + "\n";
    }
    file.text = host_text(command, "rails unset", body);
    return file;
}

std::vector<Rail> rails_in(std::string_view text)
{
    std::vector<Rail> rails;
    while (!text.empty()) {
        const auto line = take(text);
        const auto words = cut(line, " ");
        if (!line.starts_with(start) || words.size() != 4) continue;
        const auto name = parse_rail_name(words[2]);
        if (name && words[3].find_first_not_of(uuid_letters) == std::string::npos) rails.push_back({*name, words[3]});
    }
    return rails;
}

std::optional<std::uint32_t> take_rail_table(std::set<std::uint32_t> &used)
{
    for (auto table = first_rail_table; table <= last_rail_table; table++)
        if (used.insert(table).second) return table;
    return {};
}

std::string RailAddress::str() const { return dotted(address); }
std::string RailAddress::network() const { return dotted(address & mask(prefix)) + "/" + std::to_string(prefix); }

void keep_shared(std::span<std::vector<RailAddress>> all)
{
    std::map<std::string, std::set<const void *>> users;
    for (const auto &addresses : all)
        for (const auto &a : addresses) users[a.network()].insert(&addresses);
    for (auto &addresses : all)
        std::erase_if(addresses, [&](const RailAddress &a) { return users[a.network()].size() < 2; });
}

} // namespace nmib
