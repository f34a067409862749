// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/base/table.hpp"
#include "cli/port/report.hpp"
#include "core/number.hpp"
#include "core/printable.hpp"

#include <algorithm>

namespace nmib::cli
{

namespace
{
constexpr std::size_t value_column = 40; // as nmcli

struct Line {
    std::string name, value;
};

/// What is known of one port, in order.
class Details
{
public:
    Details(const Inventory &all, const PortAt &at, Reasons &reasons) : all_(all), reasons_(reasons)
    {
        device(*at.device);
        port(*at.device, *at.port);
        for (std::size_t i = 0; i < at.port->interfaces.size(); i++) netdev(at.port->interfaces[i], i + 1);
        keys(*at.port);
        gids(*at.port);
        srp(*at.port);
    }
    std::vector<Line> lines{};

private:
    void say(std::string name, const std::string &value) { lines.push_back({std::move(name), printable(value)}); }
    void say(std::string name, const Read<std::string> &read)
    {
        say(std::move(name), cell(read, reasons_, [](const std::string &s) { return s; }));
    }
    void say(std::string name, const Read<unsigned> &read)
    {
        say(std::move(name), cell(read, reasons_, [](unsigned n) { return std::to_string(n); }));
    }
    void say(std::string name, const Read<Guid> &read)
    {
        say(std::move(name), cell(read, reasons_, [](Guid g) { return g.str(); }));
    }
    /// "8.0 GT/s PCIe x8"
    std::string pci(const Read<std::string> &speed, const Read<std::string> &width)
    {
        const auto same = [](const std::string &s) { return s; };
        const auto s = cell(speed, reasons_, same), w = cell(width, reasons_, same);
        return w.empty() ? s : s + " x" + w;
    }
    std::string function(const RdmaDevice &d)
    {
        if (d.physical_function) return form(_("virtual function of %s"), d.physical_function->c_str());
        if (!d.max_vfs || *d.max_vfs == 0) return d.bus.empty() ? _("software") : _("physical function");
        return form(_("physical function, %u of %u virtual functions"), d.vfs ? *d.vfs : 0, *d.max_vfs);
    }
    void device(const RdmaDevice &d)
    {
        say("HCA.NAME", d.name);
        say("HCA.DRIVER", d.driver);
        say("HCA.BUS_INFO", d.bus);
        say("HCA.PCI_ID", d.pci_id);
        say("HCA.PCI_LINK", pci(d.pci_speed, d.pci_width));
        say("HCA.PCI_LINK_MAX", pci(d.pci_max_speed, d.pci_max_width));
        say("HCA.TYPE", d.type);
        say("HCA.BOARD_ID", d.board_id);
        say("HCA.FIRMWARE", d.firmware);
        say("HCA.REVISION", d.hw_rev);
        say("HCA.NODE_GUID", d.node_guid);
        say("HCA.SYSTEM_GUID", d.system_guid);
        say("HCA.DESCRIPTION", d.description);
        say("HCA.FUNCTION", function(d));
        for (const auto &f : d.functions)
            say(form("HCA.VF[%u]", f.number), f.bus + (f.device.empty() ? "" : " " + f.device));
    }
    void port(const RdmaDevice &d, const RdmaPort &p)
    {
        const auto as_word = [](const auto &value) { return std::string(word(value)); };
        say("PORT.NAME", d.label(p));
        say("PORT.LINK_LAYER", cell(p.layer, reasons_, as_word));
        say("PORT.STATE", cell(p.state, reasons_, as_word));
        say("PORT.PHYSICAL_STATE", cell(p.phys_state, reasons_, as_word));
        say("PORT.RATE", cell(p.rate, reasons_, [](const PortRate &r) { return r.str(); }));
        say("PORT.MTU_ACTIVE", cell(p.mtu, reasons_, [](const PortMtu &m) { return std::to_string(m.active); }));
        say("PORT.MTU_MAX", cell(p.mtu, reasons_, [](const PortMtu &m) { return std::to_string(m.maximum); }));
        if (p.layer && *p.layer != LinkLayer::infiniband) return;
        say("PORT.GUID", p.guid);
        say("PORT.LID", p.lid);
        say("PORT.LMC", p.lmc);
        say("PORT.SM_LID", p.sm_lid);
        say("PORT.SM_SL", p.sm_sl);
        say("PORT.SM_HERE",
            cell(p.cap_mask, reasons_, [&](unsigned) { return std::string(p.has_sm() ? _("yes") : _("no")); }));
        say("PORT.CAPABILITIES", cell(p.cap_mask, reasons_, [](unsigned mask) { return hex(mask, 8); }));
    }
    void netdev(const PortNetdev &n, std::size_t number)
    {
        const auto at = form("INTERFACE[%zu]", number);
        const auto *state = all_.state_of(n);
        say(at + ".NAME", n.name.str());
        say(at + ".P_KEY", n.pkey ? n.pkey->str() : "");
        say(at + ".MODE", n.mode ? std::string(name(*n.mode)) : "");
        say(at + ".MTU", std::to_string(n.mtu));
        say(at + ".CARRIER", std::string(!n.up ? _("down") : n.carrier ? _("yes") : _("no")));
        say(at + ".NM_STATE", state ? state->word : "");
        say(at + ".PROFILE", state ? state->profile : "");
        if (!n.address) return;
        const auto &a = *n.address;
        const auto text = a.str();
        say(at + ".ADDRESS", text);
        say(at + ".ADDRESS_FLAGS",
            hex(a.flags(), 2) + (a.rc_capable() ? std::string(" ") + _("connected mode possible") : ""));
        say(at + ".QPN", hex(a.qpn(), 6));
        say(at + ".SUBNET_PREFIX", hex(a.subnet_prefix().value, 16));
        say(at + ".PORT_GUID", a.guid().str());
        say(at + ".ARP_ADDRESS", text.substr(0, 6 * 3 - 1));   // arp shows six bytes
        say(at + ".DHCP_CLIENT_ID", "20:" + a.guid().bytes()); // RFC 4390 by NetworkManager: the type, 32, and the GUID
    }
    void keys(const RdmaPort &p)
    {
        if (p.pkeys.failed()) say("P_KEY", cell(p.pkeys, reasons_, [](const auto &) { return std::string(); }));
        for (const auto &entry : p.pkeys ? *p.pkeys : std::vector<PKeyEntry>{}) {
            auto value = hex(entry.key, 4) + " " + ((entry.key & 0x8000) != 0 ? _("full") : _("limited"));
            for (const auto &n : p.interfaces)
                if (n.pkey && n.pkey->partition() == (entry.key & 0x7fff)) value += " " + n.name.str();
            say(form("P_KEY[%u]", entry.index), value);
        }
    }
    void gids(const RdmaPort &p)
    {
        if (p.gids.failed()) say("GID", cell(p.gids, reasons_, [](const auto &) { return std::string(); }));
        for (const auto &entry : p.gids ? *p.gids : std::vector<GidEntry>{})
            say(form("GID[%u]", entry.index), entry.gid + (entry.type.empty() ? "" : ", " + entry.type) +
                                                  (entry.interface.empty() ? "" : ", " + entry.interface));
    }

    /// Nothing where neither ib_srp nor srp_daemon is set up.
    void srp(const RdmaPort &p)
    {
        if (p.srp || p.srp.failed()) say("SRP.INITIATOR", p.srp);
        if (!p.srp_daemon.empty()) say("SRP.DAEMON", p.srp_daemon);
        const auto nothing = [](const auto &) { return std::string(); };
        if (p.srp_targets.failed()) say("SRP.TARGET", cell(p.srp_targets, reasons_, nothing));
        std::size_t number = 1;
        for (const auto &t : p.srp_targets ? *p.srp_targets : std::vector<SrpTarget>{})
            say(form("SRP.TARGET[%zu]", number++), t.host + " id_ext=" + t.id_ext + ",ioc_guid=" + t.ioc_guid +
                                                       ",dgid=" + t.dgid + ",pkey=" + t.pkey +
                                                       (t.state.empty() ? "" : ", " + t.state));
    }

    const Inventory &all_;
    Reasons &reasons_;
};

/// "INTERFACE[1].MTU" is meant by itself, by "INTERFACE.MTU", by "INTERFACE[1]" and by "INTERFACE".
bool is_chosen(const std::string &name, const std::string &field)
{
    const auto same = [&](const std::string &text) { return g_ascii_strcasecmp(text.c_str(), field.c_str()) == 0; };
    const auto open = name.find('['), close = name.find(']');
    const auto plain = open == name.npos ? name : name.substr(0, open) + name.substr(close + 1);
    return same(name) || same(plain) || same(name.substr(0, name.find('.'))) || same(plain.substr(0, plain.find('.')));
}

Result<std::vector<Line>> chosen(std::vector<Line> lines, const std::string &fields)
{
    if (fields == "all" || fields == "common") return lines;
    std::vector<Line> some;
    for (const auto &field : cut(fields, ",")) {
        const auto before = some.size();
        for (const auto &line : lines)
            if (is_chosen(line.name, field)) some.push_back(line);
        // An interface, a P_Key, a GID or what is about SRP: this port may have none.
        const bool numbered = is_chosen("INTERFACE", field.substr(0, 9)) || is_chosen("P_KEY", field) ||
                              is_chosen("GID", field) || is_chosen("SRP", field.substr(0, 3));
        if (some.size() == before && !numbered && !is_chosen("HCA.VF", field))
            return bad(form(nm("invalid field '%s'; allowed fields: %s"), printable(field).c_str(),
                            "HCA,PORT,INTERFACE,P_KEY,GID,SRP"));
    }
    return some;
}
} // namespace

Result<std::string> details_of(const Options &options, const Inventory &all, Reasons &reasons)
{
    std::string text;
    for (const auto &device : all.devices)
        for (const auto &port : device.ports) {
            const auto lines = chosen(Details(all, {&device, &port}, reasons).lines, options.fields.value_or("all"));
            if (!lines) return lines.error();
            if (!text.empty()) text += "\n";
            const bool terse = options.print == Options::Print::terse;
            for (const auto &[name, value] : *lines) {
                if (terse && !options.multiline.value_or(true)) // -g: values alone
                    text += value + "\n";
                else
                    text +=
                        padded(name + ":", terse ? 0 : value_column) + (value.empty() && !terse ? "--" : value) + "\n";
            }
        }
    return text;
}

} // namespace nmib::cli
