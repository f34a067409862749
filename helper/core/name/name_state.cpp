// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/name/name_state.hpp"

#include "core/base/message.hpp"
#include "core/base/printable.hpp"

#include <algorithm>

namespace nmib
{

namespace
{
using Code = NameState::Code;

const NameRule *rule_for(const NamingWorld &world, const PortIdentity &port)
{
    const auto at = static_cast<std::size_t>(&port - world.ports.data());
    for (const auto &r : world.rules)
        if (at < r.verdicts.size() && r.verdicts[at] == Verdict::yes) return &r;
    return nullptr;
}

NameState judge(const NamingWorld &world, const LinkConfig &own, const PortName &name)
{
    NameState s{.code = Code::odd, .own = &own, .name = name};
    const auto match = match_of(own);
    if (!match || own.value("Link", "Name") != name.view()) return s;
    s.port = world.port_of(own);
    const auto is = [&s](Code code, std::string subject = {}) {
        s.code = code;
        s.subject = std::move(subject);
        return s;
    };
    if (!s.port) return is(Code::no_port);
    if (!world.link_files_off.empty()) return is(Code::files_off, world.link_files_off);
    if (!s.port->interface) return is(Code::no_interface);
    if (const auto *rule = rule_for(world, *s.port); rule && rule->name != name.view())
        return is(Code::rule_wins, rule->path + ":" + std::to_string(rule->line));
    if (const auto *first = winner(world.configs, *s.port); first != &own)
        return first ? is(Code::file_wins, first->path) : is(Code::odd);
    if (s.port->interface->name == name.ifname()) return is(Code::holds);
    const auto holder = std::find_if(world.interfaces.begin(), world.interfaces.end(),
                                     [&](const auto &i) { return i.name == name.ifname(); });
    return holder == world.interfaces.end() ? is(Code::next_boot) : is(Code::taken, holder->name.str());
}

const char *words(Code code) noexcept
{
    switch (code) {
    case Code::holds: return N_("{port} is called {name}");
    case Code::next_boot: return N_("{port} will be called {name} at the next boot");
    case Code::no_interface:
        return N_("{port} has no interface that could be called {name}. To load the driver: modprobe ib_ipoib");
    case Code::no_port:
        return N_("{file} is for {match}, and no such port is there. To remove it: nm-ib name unset {name}");
    case Code::file_wins:
        return N_(
            "{port} is not going to be called {name}: {subject} comes first in udev's order. Remove it, or give that "
            "file a name that comes later than {file}");
    case Code::rule_wins:
        return N_(
            "{port} is not going to be called {name}: {subject} names it, and a udev rule counts more than a .link "
            "file. Remove that line");
    case Code::taken: return N_("{port} is not called {name}: another interface is. Give one of the two another name");
    case Code::files_off:
        return N_("{port} is not going to be called {name}: {subject} keeps udev from reading .link files. Remove it");
    case Code::odd:
        return N_("{file} was changed by hand, and it is not clear which port is to be called {name}. To write it "
                  "again: nm-ib name set PORT {name} --force");
    }
    return "";
}

/// The same of both kinds of files that netplan writes from its YAML, at each boot.
constexpr const char *netplan_wins = N_(
    "{port} is not going to be called {name}: {subject} is netplan's, and counts more. Take set-name and mtu of this "
    "port out of /etc/netplan; then: netplan apply");
} // namespace

std::string_view id(Code code) noexcept
{
    switch (code) {
    case Code::holds: return "holds";
    case Code::next_boot: return "next-boot";
    case Code::no_interface: return "no-interface";
    case Code::no_port: return "no-port";
    case Code::file_wins: return "file-wins";
    case Code::rule_wins: return "rule-wins";
    case Code::taken: return "taken";
    case Code::files_off: return "files-off";
    case Code::odd: return "odd";
    }
    return "";
}

std::string text(const NameState &s, Translate translate)
{
    const auto match = match_of(*s.own);
    const auto port = !s.port ? std::string{} : s.port->interface ? s.port->interface->name.str() : s.port->label();
    const bool is_netplans = s.subject.starts_with("/run/") && s.subject.find("-netplan-") != std::string::npos;
    return message(translate, is_netplans ? netplan_wins : words(s.code), fmt::arg("port", printable(port)),
                   fmt::arg("name", s.name.str()), fmt::arg("file", printable(s.own->path)),
                   fmt::arg("subject", printable(s.subject)), fmt::arg("match", match ? text(*match) : std::string{}));
}

bool keeps_name(const NamingWorld &world, const PortIdentity &port)
{
    if (!port.interface) return true;
    const auto name = port.interface->name.view();
    if (fault(name) == NameFault::kernel_like) return true;
    const auto at = static_cast<std::size_t>(&port - world.ports.data());
    for (const auto &rule : world.rules) // whose name is not known where it has substitutions
        if (at < rule.verdicts.size() && rule.verdicts[at] != Verdict::no) return true;
    for (const auto &config : world.configs)
        if (config.value("Link", "Name") == name && matches(config, port) != Verdict::no) return true;
    for (const auto *of : {"FROM_DATABASE", "ONBOARD", "SLOT", "PATH"})
        if (port.property(std::string("ID_NET_NAME_") + of) == name) return true;
    return false;
}

std::vector<NameState> name_states(const NamingWorld &world)
{
    std::vector<NameState> all;
    for (const auto &c : world.configs)
        if (const auto name = name_in(c.file); name && is_ours(c)) all.push_back(judge(world, c, *name));
    return all;
}

const NameState *find_state(std::span<const NameState> states, const PortIdentity &port)
{
    const auto found = std::find_if(states.begin(), states.end(), [&](const NameState &s) { return s.port == &port; });
    return found == states.end() ? nullptr : &*found;
}

} // namespace nmib
