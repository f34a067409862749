// SPDX-License-Identifier: LGPL-2.1-or-later
/// A host with one InfiniBand port, for the layers above ports.
#pragma once
#include "core/doctor/diagnose.hpp"
#include "make.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace nmib
{

struct DiagnoseHostTest : testing::Test {
    Host host;
    RdmaPort *port;

    DiagnoseHostTest()
    {
        RdmaPort p{.number = 1};
        p.layer = LinkLayer::infiniband;
        p.state = PortState::active;
        p.phys_state = PhysState::link_up;
        p.lid = 3U, p.sm_lid = 1U;
        p.pkeys = std::vector<PKeyEntry>{{0, test::pkey(0xffff)}, {1, test::pkey(0x8002)}};
        PortNetdev n{.ifindex = 4, .name = test::ifname("ib0")};
        n.infiniband = n.up = n.carrier = true;
        n.pkey = PKey::from(0xffff);
        n.mode = TransportMode::datagram;
        p.interfaces = {n};
        RdmaDevice d{.name = "mlx4_0"};
        d.bus = "0000:05:00.0";
        d.ports = {p};
        host.devices.push_back(std::move(d));
        host.wanted = {"ib0"};
        port = &host.devices[0].ports[0];
    }
    void ethernet()
    {
        port->layer = LinkLayer::roce;
        port->interfaces[0].infiniband = false;
        port->interfaces[0].name = test::ifname("roce0");
        port->pkeys = Read<std::vector<PKeyEntry>>();
    }
    std::vector<std::string> ids() const
    {
        std::vector<std::string> all;
        for (const auto &t : diagnose(host)) all.emplace_back(t.kind->id);
        return all;
    }
    Trouble only() const { return diagnose(host).at(0); }
    ProfileState &profile(ProfileState::Target target = ProfileState::Target::ipoib)
    {
        return host.profiles.emplace_back(
            ProfileState{.id = "storage", .uuid = "u", .interface = port->interfaces[0].name.str(), .target = target});
    }
    void expect_plan(const Kind *kind)
    {
        const Finding f{.kind = kind, .link = test::ifname("ib0"), .values = {{"profile", std::string("storage")}}};
        profile().findings = {f};
        EXPECT_THAT(ids(), testing::ElementsAre(kind->id));
        EXPECT_EQ(seen(only()), text(f));
        host.profiles.clear();
    }
    void log(const char *text) { host.services.log.push_back({5'000'000, text}); }
};

} // namespace nmib
