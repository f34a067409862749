// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/host/command.hpp"
#include "core/number.hpp"

#include <algorithm>
#include <string_view>

namespace nmib::cli
{

namespace
{
Words guids()
{
    Words all;
    const auto devices = read_devices();
    for (const auto &device : devices ? *devices : std::vector<RdmaDevice>{})
        for (const auto &port : device.ports)
            if (port.guid) all.push_back(hex(port.guid->value, 16));
    return all;
}

Words values(const HostCommand &command, const Words &before)
{
    const std::string_view noun = command.word;
    if (noun == "memlock")
        return before.empty() ? Words{"@rdma"} : before.size() == 1 ? Words{"unlimited", "unset"} : Words{};
    if (noun == "nfs-server")
        return before.empty() ? Words{"rdma", "tcp", "unset"} : before == Words{"rdma"} ? Words{"port"} : Words{};
    if (noun == "modules") return before.empty() ? Words{"auto", "unset"} : Words{};
    if (noun != "opensm" || (!before.empty() && before.back() == "unset")) return {};
    auto all = guids();
    if (before.empty()) all.emplace_back("unset");
    return all;
}
} // namespace

Words complete_host(std::span<const std::string> words)
{
    if (words.size() == 1 && !words.front().starts_with("--")) {
        Words nouns;
        for (const auto &c : host_commands()) nouns.emplace_back(c.word);
        return nouns;
    }
    const bool no_noun = words.front().starts_with("--"); // then it is "list"
    const auto *command = find_host_command(no_noun ? "list" : words.front());
    if (!command) return {};
    Words before, all;
    for (std::size_t i = no_noun ? 0 : 1; i + 1 < words.size(); i++)
        if (!words[i].starts_with('-')) before.push_back(words[i]);
    if (!words.back().starts_with('-')) all = values(*command, before);
    const auto add = [&](const char *word) {
        if (std::find(words.begin(), words.end() - 1, word) == words.end() - 1) all.emplace_back(word);
    };
    add("--json");
    if (command->noun)
        for (const auto *word : {"--dry-run", "--force"}) add(word);
    if (command->has_now) add("--now");
    std::erase_if(all, [&](const auto &w) { return std::find(before.begin(), before.end(), w) != before.end(); });
    return all;
}

} // namespace nmib::cli
