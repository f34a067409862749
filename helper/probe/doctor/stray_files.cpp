// SPDX-License-Identifier: LGPL-2.1-or-later
#include "probe/doctor/stray_files.hpp"

#include "probe/base/ifcfg.hpp"

#include "core/base/number.hpp"

#include <algorithm>
#include <string_view>

namespace nmib
{

namespace
{
using Why = StrayFile::Why;
constexpr std::size_t longest = 65536;

void look_at_ifcfg(const Dir &etc, const std::set<std::string> &interfaces, const std::set<std::string> &loaded,
                   std::vector<StrayFile> &all)
{
    const std::string place = "sysconfig/network-scripts";
    for (const auto &name : etc.names(place)) {
        const auto text = etc.read(place + "/" + name, longest);
        if (!text || !is_ifcfg_name(name)) continue;
        const auto file = parse_ifcfg(*text, name);
        const bool has_type = !file || file->get("connection", "type") == "infiniband"; // an Error is about its P_Key
        if (!has_type && !interfaces.contains(file->get("connection", "interface-name").value_or(""))) continue;
        const auto path = etc.path() + "/" + place + "/" + name;
        if (!has_type)
            all.push_back({Why::ifcfg_type, path});
        else if (!loaded.contains(path))
            all.push_back({Why::ifcfg_unread, path});
        else if (std::none_of(all.begin(), all.end(), [](const auto &f) { return f.why == Why::ifcfg_used; }))
            all.push_back({Why::ifcfg_used, ifcfg_directory});
    }
}

void look_at_ifupdown2(const Dir &etc, const Dir &usr, const std::set<std::string> &interfaces,
                       std::vector<StrayFile> &all)
{
    const auto installed = usr.exists("share/ifupdown2");
    const auto text = etc.read("network/interfaces", longest);
    if (!installed || !*installed || !text) return;
    for (const auto &line : cut(*text, "\n")) {
        const auto words = cut(line, " \t");
        if (words.size() > 1 && words[0] == "iface" && interfaces.contains(std::string(words[1])))
            all.push_back({Why::ifupdown2, etc.path() + "/network/interfaces", std::string(words[1])});
    }
}

/// "ifname=ib0:00:02:c9:0a:00:01" (dracut.cmdline(7)).
void look_at_boot_words(const Dir &proc, const std::set<std::string> &interfaces, std::vector<StrayFile> &all)
{
    const auto text = proc.read("cmdline", longest);
    for (const auto &word : cut(text ? std::string_view(*text) : std::string_view{}, " \n")) {
        if (!word.starts_with("ifname=")) continue;
        const auto fields = cut(word.substr(7), ":");
        if (fields.size() == 7 && interfaces.contains(std::string(fields[0])))
            all.push_back({Why::boot_word, proc.path() + "/cmdline", std::string(fields[0])});
    }
}
} // namespace

std::vector<StrayFile> stray_files(const Dir &etc, const Dir &proc, const Dir &usr,
                                   const std::set<std::string> &interfaces, const std::set<std::string> &loaded)
{
    std::vector<StrayFile> all;
    look_at_ifcfg(etc, interfaces, loaded, all);
    look_at_ifupdown2(etc, usr, interfaces, all);
    look_at_boot_words(proc, interfaces, all);
    return all;
}

} // namespace nmib
