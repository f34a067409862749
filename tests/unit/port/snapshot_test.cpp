// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/port/inventory.hpp"
#include "make.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace nmib::cli
{
namespace
{

using testing::ElementsAre;
using testing::IsEmpty;

struct SnapshotTest : testing::Test {
    std::vector<RdmaDevice> devices;

    SnapshotTest()
    {
        RdmaPort p{.number = 1};
        p.state = PortState::active;
        p.sm_lid = 1U;
        p.pkeys = std::vector<PKeyEntry>{{0, test::pkey(0xffff)}, {1, test::pkey(0x8002)}};
        PortNetdev n{.ifindex = 4, .name = test::ifname("ib0")};
        n.infiniband = n.up = n.carrier = true;
        n.mtu = 2044;
        n.mode = TransportMode::datagram;
        p.interfaces = {n};
        RdmaDevice d{.name = "mlx4_0"};
        d.ports = {p};
        devices.push_back(d);
    }
    template<class Change> std::vector<std::string> lines(Change change)
    {
        const auto before = snapshot(json_of(Inventory{devices}));
        change(devices);
        std::vector<std::string> all;
        for (const auto &c : changes(before, snapshot(json_of(Inventory{devices}))))
            all.push_back(c.where + " " + c.what + ": " + c.before + " -> " + c.after);
        return all;
    }
};

TEST_F(SnapshotTest, NoChangeGivesNoLine)
{
    EXPECT_THAT(lines([](auto &) {}), IsEmpty());
}

TEST_F(SnapshotTest, ChangedValuesGiveOneLineEach)
{
    EXPECT_THAT(lines([](auto &d) {
                    auto &p = d[0].ports[0];
                    p.state = PortState::down;
                    p.sm_lid = 7U;
                    p.pkeys = std::vector<PKeyEntry>{{0, test::pkey(0xffff)}, {1, test::pkey(0x0002)}};
                    p.interfaces[0].carrier = false;
                    p.interfaces[0].mtu = 65520;
                    p.interfaces[0].mode = TransportMode::connected;
                }),
                ElementsAre("ib0 carrier: yes -> no", "ib0 mode: datagram -> connected", "ib0 mtu: 2044 -> 65520",
                            "mlx4_0/1 p_keys: 0xffff 0x8002 -> 0xffff 0x0002", "mlx4_0/1 sm_lid: 1 -> 7",
                            "mlx4_0/1 state: Active -> Down"));
}

TEST_F(SnapshotTest, UnreadableValueIsEmpty)
{
    EXPECT_THAT(lines([](auto &d) {
                    d[0].ports[0].sm_lid = Error{Error::Kind::io, "EIO"};
                }),
                ElementsAre("mlx4_0/1 sm_lid: 1 -> "));
}

TEST_F(SnapshotTest, AddedOrRemovedObjectIsOneLine)
{
    EXPECT_THAT(lines([](auto &d) {
                    auto child = d[0].ports[0].interfaces[0];
                    child.name = test::ifname("ib0.8002");
                    d[0].ports[0].interfaces.push_back(child);
                }),
                ElementsAre("ib0.8002 interface:  -> mlx4_0/1"));
    EXPECT_THAT(
        lines([](auto &d) { d.clear(); }),
        ElementsAre("ib0 interface: mlx4_0/1 -> ", "ib0.8002 interface: mlx4_0/1 -> ", "mlx4_0/1 port: mlx4_0 -> "));
}

} // namespace
} // namespace nmib::cli
