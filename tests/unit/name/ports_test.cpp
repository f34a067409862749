// SPDX-License-Identifier: LGPL-2.1-or-later
#include "name_make.hpp"
#include "probe/name/ports.hpp"
#include "tree.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <functional>
#include <unistd.h>

namespace nmib
{
namespace
{

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;
using testing::UnorderedElementsAre;

/// An HCA with two ports on one PCI function, like mlx4, with all files that are read.
struct PortsTest : testing::Test {
    test::Tree tree;
    const std::string pci = "devices/pci0000:00/0000:05:00.0/", hca = pci + "infiniband/mlx4_0/",
                      udev = "run/udev/data";

    PortsTest() { add_hca("0000:05:00.0", "mlx4_0", 4, 2); }
    void TearDown() override { ::alarm(0); }

    static std::string prefix(unsigned port)
    {
        return "80:00:02:0" + std::to_string(7 + port) + ":fe:80:00:00:00:00:00:00:";
    }
    void add_hca(const std::string &at, const std::string &name, int first_index, unsigned ports)
    {
        ::alarm(100); // reports a hang as a failure
        const auto dev = "devices/pci0000:00/" + at + "/", ib = dev + "infiniband/" + name + "/";
        tree.dir("bus/pci/drivers/mlx4_core");
        tree.link(dev + "driver", "../../../bus/pci/drivers/mlx4_core");
        tree.link(ib + "device", "../../../" + at);
        tree.link("class/infiniband/" + name, "../../" + ib.substr(0, ib.size() - 1));
        for (unsigned p = 1; p <= ports; p++) {
            const auto n = std::to_string(p);
            tree.file(ib + "ports/" + n + "/link_layer", "InfiniBand\n");
            tree.file(ib + "ports/" + n + "/gids/0", "fe80:0000:0000:0000:0002:c903:000a:000" + n + "\n");
            const auto index = first_index + static_cast<int>(p) - 1;
            interface("ib" + std::to_string(index - 4), index, dev, p - 1, prefix(p) + "00:02:c9:03:00:0a:00:0" + n);
        }
    }
    void interface(const std::string &name, int index, const std::string &dev, unsigned dev_port,
                   const std::string &address)
    {
        const auto net = dev.empty() ? "devices/virtual/net/" + name : dev + "net/" + name;
        tree.file(net + "/type", "32\n");
        tree.file(net + "/dev_port", std::to_string(dev_port) + "\n");
        tree.file(net + "/ifindex", std::to_string(index) + "\n");
        tree.file(net + "/address", address + "\n");
        tree.file(net + "/flags", "0x1003\n");
        tree.link("class/net/" + name, "../../" + net);
    }
    std::vector<PortIdentity> read(std::span<const InterfaceNames> names = {}) const
    {
        auto all = read_ports(*Dir::open(tree.path()), tree.path(udev), names);
        EXPECT_TRUE(all) << all.error().what;
        return all ? *all : std::vector<PortIdentity>{};
    }
    std::vector<std::string> summary() const
    {
        std::vector<std::string> all;
        for (const auto &p : read())
            all.push_back(p.bus + " " + p.label() + " " + (p.interface ? p.interface->name.str() : "-") + " " +
                          p.guid.bytes().substr(18));
        return all;
    }
};

TEST_F(PortsTest, TwoPortsOfOneFunctionHaveTheirOwnInterfaces)
{
    tree.file("run/udev/data/n4", "I:1234\nE:ID_PATH=pci-0000:05:00.0\nE:ID_NET_DRIVER=ib_ipoib\nE:A=b=c\nE:NOTHING\nG:"
                                  "systemd\nE:ID_IPOIB_ADDRESS=old\n");
    const std::vector<InterfaceNames> names = {{5, *IfName::parse("ib1"), {"x"}},
                                               {4, *IfName::parse("ib0"), {"ibp5s0", "y"}}};
    const auto all = read(names);
    ASSERT_EQ(all.size(), 2U);
    const auto &one = all[0];
    EXPECT_EQ(one.label(), "mlx4_0/1");
    EXPECT_EQ(one.driver, "mlx4_core");
    EXPECT_EQ(one.bus, "0000:05:00.0");
    EXPECT_EQ(one.guid, test::guid("00:02:c9:03:00:0a:00:01"));
    ASSERT_TRUE(one.interface);
    EXPECT_EQ(one.interface->name.view(), "ib0");
    EXPECT_EQ(one.interface->ifindex, 4);
    EXPECT_TRUE(one.interface->up);
    EXPECT_EQ(one.interface->address.str(), test::first_address);
    EXPECT_THAT(one.interface->alternative_names, ElementsAre("ibp5s0", "y"));
    EXPECT_THAT(one.interface->properties,
                UnorderedElementsAre(Pair("ID_PATH", "pci-0000:05:00.0"), Pair("ID_NET_DRIVER", "ib_ipoib"),
                                     Pair("A", "b=c"), Pair("ID_IPOIB_ADDRESS", test::first_address),
                                     Pair("ID_IPOIB_DEV_PORT", "0")));
    EXPECT_THAT(summary(), ElementsAre("0000:05:00.0 mlx4_0/1 ib0 00:01", "0000:05:00.0 mlx4_0/2 ib1 00:02"));
    EXPECT_THAT(all[1].interface->properties,
                UnorderedElementsAre(Pair("ID_IPOIB_ADDRESS", prefix(2) + "00:02:c9:03:00:0a:00:02"),
                                     Pair("ID_IPOIB_DEV_PORT", "1")));
}

TEST_F(PortsTest, PortsAreSortedByPciAddressHcaAndNumber)
{
    add_hca("0000:03:00.0", "mlx4_9", 8, 2);
    EXPECT_THAT(summary(), ElementsAre("0000:03:00.0 mlx4_9/1 ib4 00:01", "0000:03:00.0 mlx4_9/2 ib5 00:02",
                                       "0000:05:00.0 mlx4_0/1 ib0 00:01", "0000:05:00.0 mlx4_0/2 ib1 00:02"))
        << "two HCAs, the same GUIDs";
}

TEST_F(PortsTest, PKeyChildIsNotTheInterfaceOfAPort)
{
    interface("ib0.8001", 9, "", 0, prefix(1) + "00:02:c9:03:00:0a:00:01");
    EXPECT_EQ(read()[0].interface->name.view(), "ib0");
    tree.remove("class/net/ib0");
    tree.remove(pci + "net/ib0");
    EXPECT_THAT(summary(), ElementsAre("0000:05:00.0 mlx4_0/1 - 00:01", "0000:05:00.0 mlx4_0/2 ib1 00:02"));
}

TEST_F(PortsTest, EthernetInterfacesAndPortsAreSkipped)
{
    interface("eth0", 9, pci, 0, "00:11:22:33:44:55");
    tree.file(pci + "net/eth0/type", "1\n");
    EXPECT_EQ(read()[0].interface->name.view(), "ib0");
    tree.file(hca + "ports/2/link_layer", "Ethernet\n");
    EXPECT_THAT(summary(), ElementsAre("0000:05:00.0 mlx4_0/1 ib0 00:01"));
    tree.file(pci + "net/ib0/type", "1\n");
    EXPECT_THAT(summary(), ElementsAre("0000:05:00.0 mlx4_0/1 - 00:01"));
}

TEST_F(PortsTest, InvalidGidGivesAZeroGuid)
{
    tree.file(hca + "ports/1/gids/0", "fe80:0000:0000:0000:0000:0000:0000:0000\n");
    EXPECT_EQ(read()[0].guid, Guid{});
    tree.remove(hca + "ports/1/gids/0");
    EXPECT_EQ(read()[0].guid, Guid{});
    for (const char *gid :
         {"fe80::2:c903:a:1\n", "\n", "00:02:c9:03:00:0a:00:01\n", "fe80:0000:0000:0000:0002:c903:000a:000g\n",
          "fe80:0000:0000:0000:00:02:c9:03:00:0a:01\n"}) {
        tree.file(hca + "ports/1/gids/0", gid);
        EXPECT_EQ(read()[0].guid, Guid{}) << gid;
    }
    tree.file(hca + "ports/1/gids/0", "fe80:0000:0000:0000:0002:c903:000a:0002\n");
    EXPECT_EQ(read()[0].guid, read()[1].guid);
}

TEST_F(PortsTest, PortWithoutAPciDeviceHasNoInterface)
{
    tree.remove(hca + "device");
    EXPECT_THAT(summary(), ElementsAre(" mlx4_0/1 - 00:01", " mlx4_0/2 - 00:02"));
    EXPECT_EQ(read()[0].driver, "");
    tree.remove("class/infiniband/mlx4_0");
    EXPECT_THAT(summary(), IsEmpty());
    tree.remove("class/infiniband");
    EXPECT_THAT(summary(), IsEmpty());
    tree.file("class/infiniband", "no directory");
    EXPECT_FALSE(read_ports(*Dir::open(tree.path()), "", {}));
}

/// Every file is spoilt in every way: the spoilt value is skipped, the other port is unchanged, nothing hangs.
TEST_F(PortsTest, SpoiltFilesLeaveTheOtherPortUnchanged)
{
    const std::vector<std::string> victims = {hca + "ports/1",         hca + "ports/1/link_layer",
                                              hca + "ports/1/gids",    hca + "ports/1/gids/0",
                                              pci + "driver",          pci + "net/ib0",
                                              pci + "net/ib0/type",    pci + "net/ib0/dev_port",
                                              pci + "net/ib0/ifindex", pci + "net/ib0/address",
                                              pci + "net/ib0/flags",   "class/net/ib0",
                                              "run/udev/data",         "run/udev/data/n4"};
    const std::vector<std::function<void(const std::string &)>> spoils = {
        [&](const auto &w) { tree.remove(w); },
        [&](const auto &w) { tree.file(w, ""); },
        [&](const auto &w) { tree.file(w, "\n"); },
        [&](const auto &w) { tree.file(w, std::string(64, '\0')); },
        [&](const auto &w) { tree.file(w, "-1\n"); },
        [&](const auto &w) { tree.file(w, "99999999999999999999\n"); },
        [&](const auto &w) { tree.file(w, "\xff\xfe=\n"); },
        [&](const auto &w) { tree.file(w, "E:\nE:=\nE:=x\nE\n"); },
        [&](const auto &w) { tree.file(w, std::string(70000, 'E')); },
        [&](const auto &w) { tree.sparse(w, off_t{4} << 30); },
        [&](const auto &w) { tree.fifo(w); },
        [&](const auto &w) { tree.remove(w), tree.dir(w); },
        [&](const auto &w) { tree.link(w, w.substr(w.rfind('/') + 1)); },
        [&](const auto &w) { tree.link(w, "nothing/here"); },
        [&](const auto &w) { tree.link(w, "../../../../../../../../etc"); },
        [&](const auto &w) { tree.link(w, "/etc/hostname"); },
    };
    std::size_t trees = 0;
    for (const auto &victim : victims)
        for (const auto &spoil : spoils) {
            SCOPED_TRACE(victim + " " + std::to_string(trees));
            tree.remove("devices");
            tree.remove("class");
            tree.remove("run");
            add_hca("0000:05:00.0", "mlx4_0", 4, 2);
            tree.file("run/udev/data/n4", "E:ID_PATH=pci-0000:05:00.0\n");
            spoil(victim);
            const auto all = read();
            ASSERT_FALSE(all.empty());
            ASSERT_LE(all.size(), 2U);
            ASSERT_EQ(all.back().number, 2U);
            ASSERT_TRUE(all.back().interface && all.back().interface->name.view() == "ib1");
            if (all.size() == 2) {
                const auto &p = all[0];
                ASSERT_TRUE(p.guid == Guid{} || p.guid == test::guid(test::first_guid));
                if (p.interface) {
                    ASSERT_EQ(p.interface->address.str(), test::first_address);
                    ASSERT_EQ(p.property("ID_IPOIB_ADDRESS"), test::first_address);
                    ASSERT_EQ(p.property("ID_IPOIB_DEV_PORT"), "0");
                }
                ASSERT_EQ(p.driver.find_first_of("/\n"), p.driver.npos);
            }
            trees++;
        }
    EXPECT_EQ(trees, victims.size() * spoils.size());
}

TEST_F(PortsTest, PortNumbersOutOfRangeAreSkipped)
{
    for (const char *odd : {"0", "255", "-1", "x", "1 ", "256"}) {
        tree.file(hca + "ports/" + odd + "/link_layer", "InfiniBand\n");
        EXPECT_EQ(read().size(), 2U) << odd;
    }
    tree.file(hca + "ports/254/link_layer", "InfiniBand\n");
    EXPECT_EQ(read().back().number, 254U);
}

} // namespace
} // namespace nmib
