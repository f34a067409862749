// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/verb/complete.hpp"

#include "cli/host/command.hpp"
#include "cli/name/complete.hpp"
#include "cli/nmcli/nmcli.hpp"
#include "cli/nmcli/property_words.hpp"
#include "cli/port/inventory.hpp"
#include "core/diagnose/diagnose.hpp"
#include "core/number.hpp"
#include "core/rdma/words.hpp"
#include "probe/probe.hpp"

#include <algorithm>
#include <cstdio>
#include <span>

namespace nmib::cli
{

namespace
{
constexpr int complete_files = 65; ///< names of files belong here: nmcli says so to the shell, too (nmcli.h)

Words interface_names(bool children)
{
    Words names;
    auto probe = Probe::open();
    const auto links = probe ? probe->rtnl().ipoib_links() : Result<std::vector<LinkRow>>(probe.error());
    if (links)
        for (const auto &l : *links)
            if (l.name && l.infiniband && (children || !l.parent)) names.push_back(l.name->str());
    return names;
}

/// Of InfiniBand profiles.
Words profile_names()
{
    constexpr std::string_view type = "infiniband:";
    const auto run = run_nmcli({"-t", "-e", "no", "-f", "TYPE,NAME", "connection", "show"});
    Words names;
    for (const auto &line : run ? cut(run->out, "\n") : Words{})
        if (line.starts_with(type)) names.push_back(line.substr(type.size()));
    return names;
}

/// Those in the port's table, or of all ports without a parent; with full membership, as a profile should have them.
Words p_keys(const std::string &parent)
{
    Words keys{"default"};
    auto probe = Probe::open();
    const auto links = probe ? probe->rtnl().ipoib_links() : Result<std::vector<LinkRow>>(probe.error());
    if (!links) return keys;
    for (const auto &l : *links) {
        if (!l.name || !l.infiniband || l.parent || (!parent.empty() && parent != l.name->view())) continue;
        const auto row = probe->sysfs().port(*l.name, l.ifindex);
        const auto table =
            row ? probe->sysfs().pkeys(row->hca.name, row->port.number) : Result<std::vector<std::uint16_t>>(Error{});
        if (!table) continue;
        for (const auto key : *table)
            if (const auto full = hex(key | 0x8000U, 4); (key & 0x7fff) != 0x7fff && // not the port's own
                                                         std::find(keys.begin(), keys.end(), full) == keys.end())
                keys.push_back(full);
    }
    return keys;
}

/// Behind `connection add` or `connection modify PROFILE`: values that only this machine knows, and our options.
Words property_words(const Words &words, std::span<const std::string> behind)
{
    Options options;
    const PropertyWords before(Words(behind.begin(), behind.end() - 1), options);
    switch (before.pending().value_or(Property::save)) {
    case Property::p_key: return p_keys(before.has(Property::parent) ? *before.find(Property::parent) : "");
    case Property::parent: return interface_names(false);
    case Property::interface_name: return interface_names(true);
    case Property::mtu: return {"auto", "2044", "4092", "65520"};
    default: break;
    }
    if (!before.pending() && words.back().starts_with('r')) {
        Words ours;
        for (const auto &word : all_rdma_words) ours.emplace_back(word.name);
        return ours;
    }
    if (before.pending() || !(words.back().empty() || words.back().starts_with('-'))) return {};
    // Where nmcli takes a property of InfiniBand, the profile is one.
    auto probing = words;
    probing.back() = "infiniband.";
    probing.insert(probing.begin(), "--complete-args");
    const auto run = run_nmcli(probing);
    if (!run || run->out.empty()) return {};
    return {"--strict", "--with-parent"};
}

/// Behind "plan" and these words: one name and --json, in any order.
Words plan_words(std::span<const std::string> before)
{
    const bool as_json = std::find(before.begin(), before.end(), "--json") != before.end();
    Words words;
    if (before.size() == as_json) {
        words = interface_names(true);
        for (auto &name : profile_names()) words.push_back(std::move(name));
    }
    if (!as_json) words.emplace_back("--json");
    return words;
}

Words port_names()
{
    Words names;
    const auto all = take_inventory(false);
    for (const auto &device : all ? all->devices : std::vector<RdmaDevice>{})
        for (const auto &port : device.ports) {
            names.push_back(device.label(port));
            for (const auto &n : port.interfaces) names.push_back(n.name.str());
        }
    return names;
}

/// Behind "port" or "doctor" and these words.
Words port_words(bool doctor, std::span<const std::string> before)
{
    const auto as_json = std::find(before.begin(), before.end(), "--json") != before.end();
    Words words;
    const bool monitor = !doctor && !before.empty() && before[0] == "monitor";
    if (monitor ||
        (doctor ? before.size() == as_json : !before.empty() && before[0] == "show" && before.size() == 1U + as_json))
        words = port_names();
    else if (before.empty())
        words = {"list", "show", "monitor"};
    if (!as_json) words.emplace_back("--json");
    if (doctor && before.empty()) words.insert(words.end(), {"--merge", "--fix"});
    if (doctor && std::find(before.begin(), before.end(), "--fix") != before.end()) {
        words = {"--yes"};
        for (const auto *kind : trouble_kinds())
            if (kind->by == Trouble::By::fix) words.emplace_back(kind->id);
    }
    return words;
}

/// Behind "check" and these words. The other machine's name is nobody's here to know.
Words check_words(std::span<const std::string> before)
{
    if (!before.empty() && (before.back() == "--time" || before.back() == "--at-least")) return {};
    Words words{"--json", "--no-iperf", "--time", "--at-least", "-4", "-6"};
    std::erase_if(words, [&](const auto &w) { return std::find(before.begin(), before.end(), w) != before.end(); });
    return words;
}

Words values_of(const RdmaWord &word)
{
    if (word.name == "rdma.roce-mode") return {"v1", "v2"};
    if (word.name == "rdma.soft-rdma") return {"rxe", "siw", "none"};
    if (word.name == "rdma.vf-guids") return {"auto"};
    if (word.name == "rdma.skip") return {"yes", "no"};
    return {};
}

struct Completion {
    Words ours{};
    bool nmcli_too = true;
    bool files = false; ///< and names of files, which the shell knows
};

Completion complete(const Words &words)
{
    std::size_t at = 0; // the object
    const auto takes_value = [](const std::string &option) {
        const auto is = [&](const char *name) { return is_option(option, name); };
        return is("fields") || is("get-values") || is("mode") || is("colors") || is("escape") || is("wait");
    };
    while (at + 1 < words.size() && words[at].starts_with('-')) at += takes_value(words[at]) ? 2 : 1;
    if (at >= words.size()) return {};
    const std::span rest(words.begin() + static_cast<std::ptrdiff_t>(at), words.end());
    if (rest.size() == 1)
        return {rest[0].starts_with('-') ? Words{"--strict"}
                                         : Words{"plan", "apply", "name", "port", "doctor", "check", "host"}};
    if (rest[0] == "plan") return {plan_words(rest.subspan(1, rest.size() - 2)), false};
    if (rest[0] == "doctor" && std::find(rest.begin(), rest.end() - 1, "--merge") != rest.end() - 1)
        return rest.back().starts_with("-") ? Completion{{"--json"}, false} : Completion{{}, false, true};
    if (rest[0] == "port" || rest[0] == "doctor")
        return {port_words(rest[0] == "doctor", rest.subspan(1, rest.size() - 2)), false};
    if (rest[0] == "check") return {check_words(rest.subspan(1, rest.size() - 2)), false};
    if (rest[0] == "host") return {complete_host(rest.subspan(1)), false};
    if (rest[0] == "name") return {complete_name(rest.subspan(1)), false};
    if (rest[0] == "apply") return {rest.size() == 2 ? interface_names(true) : Words{}, false};
    for (const auto &word : all_rdma_words)
        if (begins(rest[0], "connection") && rest.size() > 2 && *(rest.end() - 2) == word.name)
            return {values_of(word), false};
    const bool modify = rest.size() > 3 && begins(rest[1], "modify"), add = rest.size() > 2 && begins(rest[1], "add");
    if (!begins(rest[0], "connection") || !(add || modify)) return {};
    return {property_words(words, rest.subspan(add ? 2 : 3))};
}
} // namespace

int print_completion(const Words &words)
{
    // nmcli does not understand our options.
    Words plain{"--complete-args"};
    for (const auto &w : words)
        if (&w == &words.back() || (w != "--strict" && w != "--with-parent")) plain.push_back(w);
    if (words.empty()) return become_nmcli(plain).code;
    auto [ours, nmcli_too, files] = complete(Words(plain.begin() + 1, plain.end()));
    int code = files ? complete_files : exit_ok;
    if (nmcli_too)
        if (const auto run = run_nmcli(plain)) {
            code = run->code;
            std::fputs(run->out.c_str(), stdout);
            const auto theirs = cut(run->out, "\n");
            std::erase_if(ours,
                          [&](const auto &w) { return std::find(theirs.begin(), theirs.end(), w) != theirs.end(); });
        }
    for (const auto &word : ours)
        if (word.starts_with(words.back())) std::printf("%s\n", word.c_str());
    return std::fflush(stdout) == 0 ? code : exit_failed;
}

} // namespace nmib::cli
