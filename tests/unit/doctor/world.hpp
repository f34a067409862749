// SPDX-License-Identifier: LGPL-2.1-or-later
/// A healthy host with two cards, and changes to it.
#pragma once
#include "core/doctor/diagnose.hpp"
#include "make.hpp"

#include <functional>

namespace nmib::test
{

using State = KernelModule::State;

constexpr PortLink ndr{4, LaneSpeed::ndr}, hdr{4, LaneSpeed::hdr}, edr{4, LaneSpeed::edr};

inline PortNetdev netdev(const std::string &name, std::uint16_t key, int ifindex, int parent = 0)
{
    PortNetdev n{.ifindex = ifindex, .name = ifname(name.c_str())};
    n.parent = parent;
    n.infiniband = n.up = n.carrier = true;
    n.pkey = PKey::from(key);
    n.mode = TransportMode::datagram;
    return n;
}

/// Two ConnectX-7 with a port each, in two subnets; a child; profiles for all three interfaces.
struct World {
    Host host{};

    RdmaDevice card(int n)
    {
        RdmaPort p{.number = 1};
        p.layer = LinkLayer::infiniband;
        p.state = PortState::active, p.phys_state = PhysState::link_up;
        p.rate = PortRate{400000, "4X NDR"};
        p.lid = 3U, p.sm_lid = 1U, p.cap_mask = 0U;
        p.guid = Guid{0xb83fd20300a00000U + static_cast<unsigned>(n)};
        p.info = PortInfo{4096, 4096, ndr, ndr, ndr};
        p.manager = SubnetManager{Guid{0x900a840300000000U + static_cast<unsigned>(n)}};
        p.pkeys = std::vector<PKeyEntry>{{0, pkey(0xffff)}, {1, pkey(0x8002)}};
        const auto prefix =
            n == 0 ? std::string("fe80:0000:0000:0000:") : "fec0:0000:0000:000" + std::to_string(n) + ":";
        p.gids = std::vector<GidEntry>{{0, prefix + "b83f:d203:00a0:000" + std::to_string(n), "IB/RoCE v1"}};
        p.counters = {{"symbol_error", 7}, {"port_rcv_errors", 0}, {"link_error_recovery", 0}, {"link_downed", 1}};
        p.interfaces = {netdev("ib" + std::to_string(n), 0xffff, 4 + n)};
        RdmaDevice d{.name = "mlx5_" + std::to_string(n), .driver = "mlx5_core"};
        d.bus = "0000:0" + std::to_string(5 + n) + ":00.0";
        d.pci_path = {{d.bus, {32000, 16}, {32000, 16}},
                      {"0000:00:0" + std::to_string(1 + n) + ".0", {32000, 16}, {32000, 16}}};
        d.node_guid = *p.guid;
        d.ports = {p};
        return d;
    }
    World()
    {
        host.devices = {card(0), card(1)};
        port(0).interfaces.push_back(netdev("ib0.8002", 0x8002, 9, 4));
        host.wanted = {"ib0", "ib0.8002", "ib1"};
        host.kernel = "6.1.0-10-amd64";
        host.has_verbs_library = host.has_cm_library = true;
        for (const auto *name : {"ib_ipoib", "ib_umad", "ib_uverbs", "rdma_ucm", "mlx5_core", "mlx5_ib"})
            host.modules[name] = {State::loaded, {}};
        for (const auto *name : {"ib0", "ib0.8002", "ib1"})
            host.profiles.push_back({.id = std::string("p-") + name,
                                     .uuid = std::string("u-") + name,
                                     .interface = name,
                                     .by_name = false});
        look(0);
    }
    RdmaDevice &device(std::size_t n) { return host.devices.at(n); }
    RdmaPort &port(std::size_t n) { return host.devices.at(n).ports.at(0); }
    void look(std::int64_t seconds) { add(host.counters, take_sample(host.devices, seconds)); }
    void log(const std::string &line) { host.services.log.push_back({1'000'000, line}); }
    void without_interfaces()
    {
        for (auto &d : host.devices) d.ports.at(0).interfaces.clear();
    }
    void module(const char *name, State state, const char *kernels = "") { host.modules[name] = {state, kernels}; }
    void bare() { host.bare_functions = {{"0000:07:00.0", "mlx5_core"}}; }
};

struct Cause {
    const char *layer, *question;
    std::function<void(World &)> spoil;
    const char *id, *where, *text; ///< `text` is a part of what was seen or of the commands
};

inline std::vector<std::string> ids(const Host &host)
{
    std::vector<std::string> all;
    for (const auto &t : diagnose(host)) all.emplace_back(t.kind->id);
    return all;
}

} // namespace nmib::test
