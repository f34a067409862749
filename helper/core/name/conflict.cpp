// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/name/conflict.hpp"

#include "core/base/message.hpp"
#include "core/base/text.hpp"
#include "core/ib/ifname.hpp"

#include <algorithm>

namespace nmib
{

namespace
{
using Code = Conflict::Code;

void names_in_use(std::vector<Conflict> &all, const NamingWorld &world, const PortIdentity &port, const PortName &name)
{
    for (const auto &i : world.interfaces) {
        if (port.interface && i.ifindex == port.interface->ifindex) continue;
        if (i.name == name.ifname()) all.push_back({Code::interface_name, i.name.str()});
        if (std::find(i.alternative.begin(), i.alternative.end(), name.view()) != i.alternative.end())
            all.push_back({Code::alternative_name, i.name.str()});
    }
}

bool gives(const LinkConfig &config, const PortName &name)
{
    const auto others = config.words("Link", "AlternativeName");
    return config.value("Link", "Name") == name.view() ||
           std::find(others.begin(), others.end(), name.view()) != others.end();
}

void files(std::vector<Conflict> &all, const NamingWorld &world, const PortIdentity &port, const PortName &name)
{
    const auto ours = file_name(name);
    for (const auto &c : world.configs) {
        if (is_ours(c)) {
            const auto match = match_of(c);
            if (gives(c, name) && !(match && matches(*match, port))) all.push_back({Code::own_file, c.path});
            continue;
        }
        const auto verdict = matches(c, port);
        const bool names_it = !c.value("Link", "Name").empty();
        if (verdict == Verdict::yes && c.file < ours)
            all.push_back({Code::file_wins, c.path});
        else if (verdict == Verdict::perhaps && c.file < ours && port.interface)
            all.push_back({Code::file_may_win, c.path});
        else if (verdict == Verdict::yes && names_it)
            all.push_back({Code::second_file, c.path});
        else if (gives(c, name))
            all.push_back({Code::other_file, c.path});
    }
}

void rules(std::vector<Conflict> &all, const NamingWorld &world, const PortIdentity &port)
{
    const auto at = static_cast<std::size_t>(&port - world.ports.data());
    for (const auto &r : world.rules) {
        const auto verdict = at < r.verdicts.size() ? r.verdicts[at] : Verdict::no;
        if (verdict == Verdict::no) continue;
        all.push_back(
            {verdict == Verdict::yes ? Code::rule_wins : Code::rule_may_win, r.path + ":" + std::to_string(r.line)});
    }
}

const char *words(Code code) noexcept
{
    switch (code) {
    case Code::interface_name:
        return N_("interface {subject} already exists. Use another name for {port}, or rename {subject} first");
    case Code::alternative_name: return N_("{name} is an alternative name of {subject}. Use another name for {port}");
    case Code::own_file:
        return N_("{subject} gives {name} to another port. To remove this name first: nm-ib name unset {name}");
    case Code::other_file: return N_("{subject} gives the name {name} too. Use another name, or remove that file");
    case Code::second_file:
        return N_("{subject} already names {port}. Remove that file. To see whether nm-ib can replace "
                  "it: nm-ib name import");
    case Code::file_wins:
        return N_("{subject} comes first in udev's order, matches {port}, and overrides the name. Remove "
                  "that file. To see whether nm-ib can replace it: nm-ib name import");
    case Code::file_may_win:
        return N_("{subject} comes first in udev's order and may match {port}: nm-ib does not check all "
                  "its conditions. After the next boot: nm-ib name check");
    case Code::rule_wins:
        return N_("{subject} names {port}, and a udev rule overrides a .link file. Remove that line. To "
                  "see whether nm-ib can replace it: nm-ib name import");
    case Code::rule_may_win:
        return N_("{subject} may name {port}, and a udev rule overrides a .link file: nm-ib does not "
                  "check all its conditions. After the next boot: nm-ib name check");
    case Code::link_files_off:
        return N_("{subject} prevents udev from reading .link files. For stable names, remove {subject}");
    }
    return "";
}
} // namespace

std::vector<Conflict> conflicts(const NamingWorld &world, const PortIdentity &port, const PortName &name)
{
    std::vector<Conflict> all;
    names_in_use(all, world, port, name);
    files(all, world, port, name);
    rules(all, world, port);
    if (!world.link_files_off.empty()) all.push_back({Code::link_files_off, world.link_files_off});
    std::stable_sort(all.begin(), all.end(), [](const auto &a, const auto &b) { return a.code < b.code; });
    return all;
}

std::string text(const Conflict &conflict, const PortIdentity &port, const PortName &name, Translate translate)
{
    return message(translate, words(conflict.code), fmt::arg("subject", printable(conflict.subject)),
                   fmt::arg("port", port.interface ? port.interface->name.str() : printable(port.label())),
                   fmt::arg("name", name.str()));
}

std::string hca_family(const PortIdentity &port)
{
    const auto &from = port.driver.empty() ? port.hca : port.driver;
    const auto text = from.substr(0, from.find_first_of("_-."));
    return PortName::parse(text) ? text : "ib";
}

namespace
{
bool is_used(const NamingWorld &world, const PortIdentity &port, const PortName &name)
{
    const auto all = conflicts(world, port, name);
    return std::any_of(all.begin(), all.end(), [](const Conflict &c) {
        using enum Conflict::Code;
        return c.code == interface_name || c.code == alternative_name || c.code == own_file || c.code == other_file;
    });
}

std::optional<PortName> name(const std::string &family, unsigned number)
{
    const auto end = "_ib" + std::to_string(number);
    return PortName::parse(family.substr(0, parent_name_limit - std::min(end.size(), parent_name_limit)) + end);
}
} // namespace

std::vector<Proposal> propose_names(const NamingWorld &world, std::span<const std::string> taken)
{
    std::vector<Proposal> all;
    std::map<std::string, unsigned> next;
    for (const auto &port : world.ports) {
        if (world.own_file(port)) continue;
        const auto stem = hca_family(port);
        for (auto &number = next[stem]; number < 1000;) {
            const auto candidate = name(stem, number++);
            if (!candidate || is_used(world, port, *candidate)) continue;
            if (std::find(taken.begin(), taken.end(), candidate->view()) != taken.end()) continue;
            all.push_back({&port, *candidate});
            break;
        }
    }
    return all;
}

} // namespace nmib
