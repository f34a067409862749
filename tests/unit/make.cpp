// SPDX-License-Identifier: LGPL-2.1-or-later
#include "make.hpp"

#include <cstdlib>
#include <fstream>
#include <map>

namespace nmib::test
{

namespace
{
struct Words {
    std::string operator()(const SetMode &m) const { return m.link.str() + " mode " + std::string(name(m.mode)); }
    std::string operator()(const SetMtu &m) const
    {
        return m.link.str() + " mtu " + std::to_string(m.at_most) + " " + std::string(name(m.mode));
    }
    std::string operator()(const SetFeature &f) const
    {
        return f.link.str() + " " + std::string(f.feature.view()) + (f.on ? " on" : " off");
    }
};

std::string dump(const Finding &f)
{
    std::string out(f.kind->id);
    for (const auto n : {static_cast<unsigned>(f.severity), static_cast<unsigned>(f.cause)})
        out += " " + std::to_string(n);
    return out + " " + text(f) + "\n";
}
} // namespace

std::string source(const char *path)
{
    const char *top = std::getenv("NMIB_SOURCE");
    return std::string(top ? top : ".") + "/" + path;
}

namespace
{
/// The messages of po/de.po with their translations.
std::map<std::string, std::string> read_german()
{
    std::map<std::string, std::string> all;
    std::ifstream file(source("po/de.po"));
    std::string line, message, *part = &message;
    while (std::getline(file, line)) {
        if (line.starts_with("msgid ")) message.clear(), part = &message;
        if (line.starts_with("msgstr ")) part = &all[message];
        const auto begin = line.starts_with('#') ? line.npos : line.find('"');
        if (begin == line.npos) continue;
        for (auto at = begin + 1; at + 1 < line.size(); at++) {
            const bool escaped = line[at] == '\\' && ++at != 0;
            *part += escaped && line[at] == 'n' ? '\n' : line[at];
        }
    }
    return all;
}
} // namespace

const char *german(const char *message)
{
    static const auto all = read_german();
    const auto found = all.find(message);
    return found == all.end() ? message : found->second.c_str();
}

HwAddr address(bool rc_capable)
{
    return HwAddr::parse(rc_capable ? "80:00:02:08:fe:80:00:00:00:00:00:00:f4:52:14:03:00:7b:e1:b1"
                                    : "00:00:10:86:fe:80:00:00:00:00:00:00:b8:ce:f6:03:00:00:01:02")
        .value();
}

Link port_link(int ifindex, std::string_view name)
{
    Link l{.ifindex = ifindex, .name = ifname(name)};
    l.address = address(true);
    l.mtu = 2044;
    l.up = l.carrier = true;
    l.pkey = PKey::from(0xffff);
    return l;
}

Link child_link(int ifindex, std::string_view name, int parent, std::uint16_t key)
{
    auto l = port_link(ifindex, name);
    l.parent = parent;
    l.pkey = PKey::from(key);
    return l;
}

RdmaDevice connectx(unsigned pci_revision)
{
    RdmaDevice d{.name = "mlx4_0", .driver = "mlx4_core"};
    d.pci_id = PciId{0x15b3, 0x634a};
    d.pci_revision = pci_revision;
    d.ports.emplace_back();
    return d;
}

std::vector<PKeyEntry> pkey_table(const std::vector<PKey> &keys)
{
    std::vector<PKeyEntry> table;
    for (const auto key : keys) table.push_back({static_cast<unsigned>(table.size()), key});
    return table;
}

Quirk lso_quirk()
{
    Quirk q;
    q.name = "lso";
    q.match.driver = "mlx4_core";
    q.match.vendor = 0x15b3;
    q.match.devices = {0x6340, 0x634a};
    q.match.revision = 0xa0;
    q.features = {{tso, false}};
    return q;
}

std::vector<std::string> changes(const Plan &plan)
{
    std::vector<std::string> out;
    for (const auto &c : plan.changes) out.push_back(std::visit(Words{}, c));
    return out;
}

std::vector<std::string> codes(const Plan &plan)
{
    std::vector<std::string> out;
    for (const auto &f : plan.findings) out.emplace_back(f.kind->id);
    return out;
}

std::string dump(const Plan &plan)
{
    std::string out;
    for (const auto &c : plan.changes) {
        out += std::visit(Words{}, c);
        std::visit([&](const auto &v) { out += " #" + std::to_string(v.ifindex); }, c);
        if (const auto *f = std::get_if<SetFeature>(&c)) out += " quirk " + std::to_string(f->quirk);
        out += "\n";
    }
    for (const auto &f : plan.findings) out += dump(f);
    return out;
}

} // namespace nmib::test
