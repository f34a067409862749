// SPDX-License-Identifier: LGPL-2.1-or-later
#include "verbs/port/inventory.hpp"

#include "core/base/text.hpp"
#include "core/ib/rdma_device.hpp"
#include "probe/port/rdma_devices.hpp"
#include "probe/port/smp.hpp"
#include "terminal/words.hpp"

#include <algorithm>
#include <set>

namespace nmib::cli
{

namespace
{
bool is_meant(const std::string &word, const RdmaDevice &device, const RdmaPort &port)
{
    return names_port(word, device.place(port)) ||
           std::any_of(port.interfaces.begin(), port.interfaces.end(),
                       [&](const PortNetdev &n) { return n.name.view() == word; });
}

Error no_port(const std::string &word)
{
    return {Error::Kind::absent, form("{}: no such port, or interface of a port\n"
                                      "To list the ports:\n"
                                      "  nm-ib port",
                                      printable(word))};
}

/// What has not answered, and is not asked again: each attempt takes a second.
struct Silent {
    static constexpr unsigned most_peers = 2;
    std::set<std::pair<std::optional<std::uint64_t>, unsigned>> managers{}; ///< prefix and LID
    unsigned peers = 0; ///< number; more than one: packets do not leave the cards (M_Keys, or a firewall for them)
};

void ask(const RdmaDevice &device, RdmaPort &port, Depth depth, Silent &silent)
{
    if (!port.layer || *port.layer != LinkLayer::infiniband || device.is_fabric_managed) return;
    auto smp = device.smi.empty() ? SmpPort::open(device.name, port.number) : SmpPort::open(device.smi, 1);
    port.info = smp.and_then([](SmpPort &p) { return p.own_info(); });
    const auto kind = port.info ? Error::Kind::io : port.info.error().kind;
    if (kind == Error::Kind::denied)
        port.info = Error{kind, _("MTU_ACTIVE, LINK_SUPPORTED: only root can read these values")};
    if (!port.info || depth < Depth::fabric || !port.phys_state || *port.phys_state != PhysState::link_up) return;
    const auto ask_peer = [&] {
        port.peer = smp->peer_info();
        if (!port.peer) silent.peers++;
    };
    if (port.info->active != port.info->supported && silent.peers < Silent::most_peers) ask_peer();
    const std::pair key(subnet_prefix(port), port.sm_lid ? *port.sm_lid : 0);
    const bool is_active = port.state && *port.state == PortState::active && key.second != 0;
    if (!is_active || device.is_virtual() || !device.smi.empty() || silent.peers >= Silent::most_peers ||
        silent.managers.contains(key))
        return;
    port.manager = smp->subnet_manager(key.second);
    if (!port.manager.failed() || port.manager.error().kind != Error::Kind::io) return;
    if (!port.peer && !port.peer.failed()) ask_peer();
    if (port.peer)
        silent.managers.insert(key);
    else
        port.manager = {}; // unknown: no packet of this port is answered
}

} // namespace

Result<void> keep(Inventory &all, const Words &words)
{
    auto kept = all.devices;
    for (auto &device : kept)
        std::erase_if(device.ports, [&](const RdmaPort &p) {
            return std::none_of(words.begin(), words.end(),
                                [&](const auto &word) { return is_meant(word, device, p); });
        });
    std::erase_if(kept, [](const RdmaDevice &d) { return d.ports.empty(); });
    if (kept.empty()) return no_port(join(words, " "));
    all.devices = std::move(kept);
    return {};
}

Result<Inventory> take_inventory(Depth depth, const std::string &word)
{
    const auto sysfs = Dir::open("/sys");
    if (!sysfs) return sysfs.error();
    auto rtnl = Rtnl::open();
    const auto links = rtnl ? rtnl->all_links() : Result<std::vector<LinkRow>>(rtnl.error());
    if (!links) return links.error();
    auto devices = read_rdma_devices(*sysfs, *links);
    if (!devices) return devices.error();
    Inventory all{.devices = std::move(*devices)};
    if (depth > Depth::list || !word.empty()) // the word may be a PCI address
        for (auto &device : all.devices) read_details(*sysfs, device);
    if (!word.empty())
        if (auto kept = keep(all, {word}); !kept) return kept.error();
    Words interfaces;
    Silent silent;
    for (auto &device : all.devices)
        for (auto &port : device.ports) {
            if (depth > Depth::list) {
                read_details(*sysfs, device, port);
                read_counters(*sysfs, device, port);
            }
            ask(device, port, depth, silent);
            for (const auto &n : port.interfaces) interfaces.push_back(n.name.str());
        }
    const auto daemon = interfaces.empty() ? Result<Daemon, Failure>(Failure{}) : Daemon::connect();
    if (const auto *connected = daemon ? &*daemon : nullptr) {
        all.has_daemon = true;
        all.states = ask_device_states(*connected, interfaces);
    }
    return all;
}

} // namespace nmib::cli
