// SPDX-License-Identifier: LGPL-2.1-or-later
#include "nm-ib/complete.hpp"

#include "core/base/text.hpp"
#include "core/doctor/diagnose.hpp"
#include "core/rdma/words.hpp"
#include "nm-ib/command.hpp"
#include "nm-ib/operands.hpp"
#include "nm/nmcli.hpp"
#include "nm/property_words.hpp"
#include "probe/plan/probe.hpp"

#include <algorithm>
#include <cstdio>

namespace nmib::cli
{

namespace
{
constexpr int complete_files = 65; ///< nmcli's exit code: the shell completes file names (nmcli.h)

bool has(std::span<const std::string> words, std::string_view word)
{
    return std::find(words.begin(), words.end(), word) != words.end();
}

/// Returns the P_Keys of the parent's port, or of all ports if `parent` is empty, with the full-membership bit that a
/// profile should have.
Words p_keys(const std::string &parent)
{
    Words keys{"default"};
    auto probe = Probe::open();
    const auto links = probe ? probe->rtnl().ipoib_links() : Result<std::vector<LinkRow>>(probe.error());
    if (!links) return keys;
    for (const auto &l : *links) {
        if (!l.name || !l.infiniband || l.parent || (!parent.empty() && parent != l.name->view())) continue;
        const auto device = probe->sysfs().device(*l.name, l.ifindex);
        const auto table =
            device ? probe->sysfs().pkeys(device->name, device->ports.front().number) : Read<std::vector<PKeyEntry>>();
        if (!table) continue;
        for (const auto &entry : *table)
            if (const auto full = entry.key.full().str();
                !entry.key.is_default() && std::find(keys.begin(), keys.end(), full) == keys.end())
                keys.push_back(full);
    }
    return keys;
}

/// Completes after `connection add` or `connection modify PROFILE`: values of this machine, and nm-ib's options.
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
    // If nmcli completes a property of InfiniBand, the profile is an InfiniBand profile.
    auto probing = words;
    probing.back() = "infiniband.";
    probing.insert(probing.begin(), "--complete-args");
    const auto run = run_nmcli(probing);
    if (!run || run->out.empty()) return {};
    return {"--strict", "--with-parent"};
}

struct Completion {
    Words ours{};
    bool nmcli_too = true;
    bool files = false; ///< the shell also completes file names
};

/// Returns the words in lower case: "v1" and "default" of "v1|SIZE|default".
Words literals(std::string_view alternatives)
{
    auto all = cut(alternatives, "|[] ");
    std::erase_if(all,
                  [](const auto &w) { return w.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") != w.npos; });
    return all;
}

/// Returns the IDs of findings: all, or those that --fix can mend.
Words finding_ids(bool mended)
{
    Words ids;
    for (const auto *kind : trouble_kinds())
        if (!mended || kind->by == Trouble::By::fix) ids.emplace_back(kind->id);
    return ids;
}

/// Completes the last word after an object of nm-ib.
Completion complete_own(std::string_view object, std::span<const std::string> words)
{
    const auto &last = words.back();
    auto before = words.first(words.size() - 1);
    Completion all{.nmcli_too = false};
    const auto *command = find_command(object, before.empty() ? "" : before.front());
    if (command && *command->verb && before.empty() && !last.starts_with('-'))
        for (const auto &c : all_commands())
            if (c.object == object) all.ours.emplace_back(c.verb);
    if (!command || !all.ours.empty()) return all;
    if (*command->verb && !before.empty() && !before.front().starts_with('-')) before = before.subspan(1);
    Words plain;
    const CommandOption *pending = nullptr; // its value is the next word
    for (const auto &word : before) {
        if (word.starts_with('-')) {
            const auto option = std::find_if(command->options.begin(), command->options.end(),
                                             [&](const CommandOption &o) { return word == o.word; });
            pending = option == command->options.end() || !option->value ? nullptr : &*option;
        } else if (!pending || (pending->takes_many() && plain.size() < command->least))
            plain.push_back(word);
        else if (!pending->takes_many())
            pending = nullptr;
    }
    if (pending && pending->takes_many() && plain.size() < command->least) pending = nullptr;
    if (pending && !last.starts_with('-')) {
        const std::string_view takes(pending->value);
        all.files = takes.starts_with("FILE");
        all.ours = takes.find("ID") <= 1 ? finding_ids(takes[0] == '[') : literals(takes);
        if (!pending->takes_many() || all.files) return all;
    } else if (plain.size() < command->most && !last.starts_with('-')) {
        if (command->values) all.ours = command->values(plain);
        if (command->most == any_number) std::erase_if(all.ours, [&](const auto &w) { return has(plain, w); });
        const auto operands = cut(command->operands, " ");
        if (plain.size() < operands.size())
            for (auto &word : literals(operands[plain.size()])) all.ours.push_back(std::move(word));
        if (plain.size() < command->least && !all.ours.empty()) return all; // required operands first
    }
    for (const auto &option : command->options)
        if (!has(before, option.word)) all.ours.emplace_back(option.word);
    return all;
}

Completion complete(const Words &words)
{
    std::size_t at = 0; // index of the object
    const auto takes_value = [](const std::string &option) {
        const auto is = [&](const char *name) { return is_option(option, name); };
        return is("fields") || is("get-values") || is("mode") || is("colors") || is("escape") || is("wait");
    };
    while (at + 1 < words.size() && words[at].starts_with('-')) at += takes_value(words[at]) ? 2 : 1;
    if (at >= words.size()) return {};
    const std::span rest(words.begin() + static_cast<std::ptrdiff_t>(at), words.end());
    if (rest.size() == 1) {
        Completion all;
        if (rest[0].starts_with('-')) return {{"--strict"}};
        for (const auto &c : all_commands())
            if (!has(all.ours, c.object)) all.ours.emplace_back(c.object);
        return all;
    }
    for (const auto &c : all_commands())
        if (rest[0] == c.object) return complete_own(c.object, rest.subspan(1));
    for (const auto &word : all_rdma_words)
        if (begins(rest[0], "connection") && rest.size() > 2 && *(rest.end() - 2) == word.name)
            return {literals(word.form), false};
    const bool modify = rest.size() > 3 && begins(rest[1], "modify"), add = rest.size() > 2 && begins(rest[1], "add");
    if (!begins(rest[0], "connection") || !(add || modify)) return {};
    return {property_words(words, rest.subspan(add ? 2 : 3))};
}
} // namespace

int print_completion(const Words &words)
{
    // nmcli does not know nm-ib's options.
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
