// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/name/naming_world.hpp"

#include "core/base/message.hpp"
#include "core/base/text.hpp"
#include "core/name/port_name.hpp"

#include <algorithm>
#include <fnmatch.h>
#include <map>

namespace nmib
{

namespace
{
using Words = std::vector<std::string>;

bool glob(const std::string &pattern, const std::string &text)
{
    return ::fnmatch(pattern.c_str(), text.c_str(), 0) == 0;
}

/// net-condition.c, net_condition_test_strv: '!' excludes; if all patterns exclude, any other text matches.
bool any_of(const Words &patterns, const std::string &text)
{
    bool positive = false, found = false;
    for (const auto &p : patterns) {
        const bool inverted = p.starts_with('!');
        const bool is = !text.empty() && glob(p.substr(inverted), text);
        if (inverted && is) return false;
        positive = positive || !inverted;
        found = found || (!inverted && is);
    }
    return found || !positive;
}

/// The words of each key of [Match]. An empty value clears the earlier words; '!' is for all words of a value.
using Conditions = std::map<std::string, Words>;
Conditions conditions(const LinkConfig &config)
{
    Conditions all;
    for (const auto &e : config.entries) {
        if (e.section != "Match" || e.key.starts_with("X-")) continue;
        auto &words = all[e.key];
        const bool inverted = e.value.starts_with('!');
        if (e.value.empty()) words.clear();
        for (const auto &w : config_words(std::string_view(e.value).substr(inverted)))
            words.push_back(inverted ? "!" + w : w);
    }
    std::erase_if(all, [](const auto &c) { return c.second.empty(); });
    return all;
}

Verdict verdict_of(bool holds) noexcept { return holds ? Verdict::yes : Verdict::no; }

/// net-condition.c, net_condition_test_property: each word must match; '!' inverts a word. Properties that exist only
/// during an event (DEVPATH, INTERFACE ...) are unknown.
Verdict properties_hold(const Words &words, const PortIdentity &port)
{
    auto verdict = Verdict::yes;
    for (std::string_view word : words) {
        const bool wanted = !word.starts_with('!');
        if (!wanted) word.remove_prefix(1);
        const auto equals = word.find('=');
        if (equals == word.npos) continue; // ignored by systemd
        const auto value = port.property(std::string(word.substr(0, equals)));
        if (value.empty() && !word.starts_with("ID_"))
            verdict = Verdict::perhaps;
        else if ((!value.empty() && glob(std::string(word.substr(equals + 1)), value)) != wanted)
            return Verdict::no;
    }
    return verdict;
}

/// Compares with the current address. The permanent address is the interface's first; only its GUID is known. `perhaps`
/// for a word of neither 20 bytes nor Ethernet's 6, e.g. a glob, which systemd may ignore.
Verdict addresses_hold(const Words &words, const HwAddr &now, bool permanent)
{
    constexpr std::size_t ethernet = 17;
    auto verdict = Verdict::no;
    for (const auto &word : words) {
        const auto address = HwAddr::parse(word);
        if (address == now) return Verdict::yes;
        const bool may_be = address ? permanent && address->guid() == now.guid() : word.size() != ethernet;
        if (may_be) verdict = Verdict::perhaps;
    }
    return verdict;
}

Verdict holds(const std::string &key, const Words &words, const PortIdentity &port)
{
    const auto &i = *port.interface;
    for (const auto &word : words) // escapes depend on the key
        if (word.find('\\') != word.npos) return Verdict::perhaps;
    if (key == "MACAddress" || key == "PermanentMACAddress") return addresses_hold(words, i.address, key[0] == 'P');
    if (key == "Type") return verdict_of(any_of(words, "infiniband"));
    if (key == "Kind") return verdict_of(any_of(words, "ipoib"));
    if (key == "OriginalName")
        return original_name_holds(port, [&](const std::string &name) { return any_of(words, name); });
    if (key == "Path") return verdict_of(any_of(words, port.property("ID_PATH")));
    if (key == "Property") return properties_hold(words, port);
    if (const auto driver = port.property("ID_NET_DRIVER"); key == "Driver" && !driver.empty())
        return verdict_of(any_of(words, driver));
    return Verdict::perhaps; // Host=, KernelVersion=, Credential= ..., and keys of a newer udev
}
} // namespace

Verdict original_name_holds(const PortIdentity &port, const std::function<bool(const std::string &)> &holds)
{
    const auto now = port.interface ? port.interface->name.str() : std::string{};
    if (fault(now) == NameFault::kernel_like) return verdict_of(holds(now));
    int yes = port.interface ? holds(now) : 0, all = port.interface ? 1 : 0;
    for (int n = 0; n < 100; n++, all++) yes += holds("ib" + std::to_string(n));
    return yes == 0 ? Verdict::no : yes == all ? Verdict::yes : Verdict::perhaps;
}

Verdict matches(const LinkConfig &config, const PortIdentity &port)
{
    const auto all = conditions(config);
    if (all.empty()) return Verdict::no; // ignored by udev (link-config.c, link_load_one)
    if (!port.interface) return Verdict::perhaps;
    auto verdict = Verdict::yes;
    for (const auto &[key, words] : all) verdict = std::min(verdict, holds(key, words, port));
    return verdict;
}

const LinkConfig *winner(std::span<const LinkConfig> configs, const PortIdentity &port)
{
    const auto found =
        std::find_if(configs.begin(), configs.end(), [&](const auto &c) { return matches(c, port) == Verdict::yes; });
    return found == configs.end() ? nullptr : &*found;
}

namespace
{
/// The value of `KEY=` among the words of Property=.
std::optional<std::string> property(const std::vector<std::string> &words, std::string_view key)
{
    for (const auto &w : words)
        if (w.size() > key.size() && w.starts_with(key) && w[key.size()] == '=') return w.substr(key.size() + 1);
    return {};
}
} // namespace

bool is_ours(const LinkConfig &config) { return name_in(config.file).has_value(); }

std::optional<PortMatch> match_of(const LinkConfig &own)
{
    const auto conditions = own.words("Match", "Property");
    if (const auto pattern = property(conditions, "ID_IPOIB_ADDRESS"); pattern && pattern->starts_with("*:")) {
        const auto guid = Guid::parse(pattern->substr(2));
        return guid ? std::optional<PortMatch>(ByGuid{*guid}) : std::nullopt;
    }
    const auto id = IdPath::parse(property(conditions, "ID_PATH").value_or(""));
    const auto port = parse_decimal(property(conditions, "ID_IPOIB_DEV_PORT").value_or(""), 253);
    if (!id || !port) return {};
    return ByPath{*id, static_cast<unsigned>(*port) + 1};
}

const LinkConfig *NamingWorld::own_file(const PortIdentity &port) const
{
    for (const auto &c : configs)
        if (is_ours(c))
            if (const auto match = match_of(c); match && matches(*match, port)) return &c;
    return nullptr;
}

const PortIdentity *NamingWorld::port_of(const LinkConfig &own) const
{
    const auto match = match_of(own);
    if (!match) return nullptr;
    const auto found = std::find_if(ports.begin(), ports.end(), [&](const auto &p) { return matches(*match, p); });
    return found == ports.end() ? nullptr : &*found;
}

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
    const auto match = match_of(own);
    NameState s{.code = Code::odd, .path = own.path, .match = match ? text(*match) : std::string{}, .name = name};
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
        return N_("{file} is for {match}, which does not exist. To remove the file: nm-ib name unset {name}");
    case Code::file_wins:
        return N_("{port} will not be called {name}: {subject} comes first in udev's order. Remove that "
                  "file, or give it a name that comes later than {file}");
    case Code::rule_wins:
        return N_("{port} will not be called {name}: {subject} names the port, and a udev rule overrides "
                  "a .link file. Remove that line");
    case Code::taken:
        return N_("{port} is not called {name}: another interface has this name. Use another name for one of the two");
    case Code::files_off:
        return N_("{port} will not be called {name}: {subject} prevents udev from reading .link "
                  "files. For stable names, remove {subject}");
    case Code::odd:
        return N_("{file} was changed by hand, and does not show which port will be called {name}. "
                  "To write the file again: nm-ib name set PORT {name} --force");
    case Code::no_rdma_core: break; // not of a port
    }
    return "";
}

const char *rdma_words(Code code) noexcept
{
    switch (code) {
    case Code::holds: return N_("RDMA device {port} keeps its name");
    case Code::next_boot: return N_("RDMA device {port} will be called {name} at the next boot");
    case Code::no_port:
        return N_("{file} is for the RDMA device with {match}, which does not exist. To remove the file: nm-ib name "
                  "unset {name} --rdma");
    case Code::rule_wins:
        return N_("RDMA device {port} will not be called {name}: {subject} may rename it first. Remove that line");
    case Code::taken:
        return N_("RDMA device {port} is not called {name}: another RDMA device has this name. Use another name for "
                  "one of the two");
    case Code::no_rdma_core:
        return N_("RDMA device {port} will not be called {name}: /usr/lib/udev/rdma_rename is missing. Install "
                  "rdma-core");
    case Code::odd:
        return N_("{file} was changed by hand, and does not show which RDMA device will be called {name}. To write "
                  "the file again: nm-ib name set PORT NAME --rdma {name} --force");
    case Code::no_interface:
    case Code::file_wins:
    case Code::files_off: break; // not of an RDMA device
    }
    return "";
}

NameState judge(const NamingWorld &world, const RdmaRule &own)
{
    NameState s{.code = Code::odd, .path = own.path, .name = own.name};
    if (!own.node) return s;
    s.match = "node GUID " + own.node->str();
    const auto &all = world.devices;
    const auto device = std::find_if(all.begin(), all.end(), [&](const RdmaNode &d) { return d.guid == *own.node; });
    const auto holder =
        std::find_if(all.begin(), all.end(), [&](const RdmaNode &d) { return d.name == own.name.view(); });
    const bool is_held = holder != all.end() || world.other_devices.contains(own.name.str());
    if (device != all.end()) s.device = &*device;
    if (!world.earlier_renames.empty()) s.subject = world.earlier_renames.front();
    s.code = device == all.end()      ? Code::no_port
             : !world.has_rdma_rename ? Code::no_rdma_core
             : !s.subject.empty()     ? Code::rule_wins
             : device == holder       ? Code::holds
             : is_held                ? Code::taken
                                      : Code::next_boot;
    return s;
}

/// For both kinds of files that netplan writes from its YAML at each boot.
constexpr const char *netplan_wins =
    N_("{port} will not be called {name}: {subject} is netplan's, and overrides the .link file. Take "
       "set-name and mtu of this port out of /etc/netplan; then: netplan apply");
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
    case Code::no_rdma_core: return "no-rdma-core";
    }
    return "";
}

Message message(const NameState &s)
{
    const auto port = s.device            ? s.device->name
                      : !s.port           ? std::string{}
                      : s.port->interface ? s.port->interface->name.str()
                                          : s.port->label();
    const bool is_rdma = rdma_name_in(s.path.substr(s.path.rfind('/') + 1)).has_value();
    const bool is_netplans = s.subject.starts_with("/run/") && s.subject.find("-netplan-") != std::string::npos;
    return {is_netplans ? netplan_wins
            : is_rdma   ? rdma_words(s.code)
                        : words(s.code),
            {{"port", port}, {"name", s.name.str()}, {"file", s.path}, {"subject", s.subject}, {"match", s.match}}};
}

std::string text(const NameState &s, Translate translate) { return message(s).text(translate); }

bool keeps_name(const NamingWorld &world, const PortIdentity &port)
{
    if (!port.interface) return true;
    const auto name = port.interface->name.view();
    if (fault(name) == NameFault::kernel_like) return true;
    const auto at = static_cast<std::size_t>(&port - world.ports.data());
    for (const auto &rule : world.rules) // the name may have unknown substitutions
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

std::vector<NameState> rdma_name_states(const NamingWorld &world)
{
    std::vector<NameState> all;
    for (const auto &rule : world.rdma_rules) all.push_back(judge(world, rule));
    return all;
}

const NameState *find_state(std::span<const NameState> states, const PortIdentity &port)
{
    const auto found = std::find_if(states.begin(), states.end(), [&](const NameState &s) { return s.port == &port; });
    return found == states.end() ? nullptr : &*found;
}

} // namespace nmib
