// SPDX-License-Identifier: LGPL-2.1-or-later
// Impossible trees: every file and link of a valid tree is spoilt in every way. There is no crash and no hang, and each
// value is right or unknown.
#include "make.hpp"
#include "probe/plan/state.hpp"
#include "probe/plan/sysfs.hpp"
#include "spoil.hpp"
#include "tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <unistd.h>

namespace nmib
{
namespace
{

using test::spoils;
using test::SysTree;

const std::vector<std::string> victims = {
    SysTree::at(SysTree::pci, "vendor"),
    SysTree::at(SysTree::pci, "device"),
    SysTree::at(SysTree::pci, "revision"),
    SysTree::at(SysTree::pci, "driver"),
    SysTree::at(SysTree::pci, "infiniband"),
    SysTree::at(SysTree::hca, "hw_rev"),
    SysTree::at(SysTree::hca, "ports"),
    SysTree::at(SysTree::hca, "ports/1"),
    SysTree::at(SysTree::hca, "ports/1/state"),
    SysTree::at(SysTree::hca, "ports/1/sm_lid"),
    SysTree::at(SysTree::hca, "ports/1/pkeys"),
    SysTree::at(SysTree::hca, "ports/1/pkeys/0"),
    SysTree::at(SysTree::hca, "ports/1/pkeys/99"),
    SysTree::at(SysTree::net, "ifindex"),
    SysTree::at(SysTree::net, "dev_port"),
    SysTree::at(SysTree::net, "mode"),
    SysTree::at(SysTree::net, "carrier_changes"),
    SysTree::at(SysTree::net, "device"),
    "class/infiniband/mlx4_0",
    "class/net/ib0",
    "class/net",
    SysTree::net,
};

/// The value of the valid tree, or the value for unknown.
template<class T> void right_or(const T &value, const T &right, const T &unknown, const char *what)
{
    EXPECT_TRUE(value == right || value == unknown) << what;
}

void read_everything(const SysTree &tree)
{
    const auto sysfs = Sysfs::open(tree.path());
    ASSERT_TRUE(sysfs);
    const auto ib0 = test::ifname("ib0");
    if (const auto device = sysfs->device(ib0, 4)) {
        // Right, or without the whole PCI device: a part would look like another card.
        const auto &port = device->ports.at(0);
        EXPECT_TRUE(!device->pci_id || device->pci_id->str() == "15b3:634a");
        EXPECT_EQ(!device->pci_id, !device->pci_revision);
        EXPECT_TRUE(!device->pci_revision || *device->pci_revision == 0xa0);
        EXPECT_TRUE(!device->hw_rev || *device->hw_rev == "a0");
        EXPECT_TRUE(!port.sm_lid || *port.sm_lid == 1);
        EXPECT_EQ(port.number, 1U);
        EXPECT_EQ(device->name.find('/'), std::string::npos);
    } else {
        EXPECT_FALSE(device.error().what.empty());
    }
    if (const auto keys = sysfs->pkeys("mlx4_0", 1)) {
        for (const auto &[index, k] : *keys) EXPECT_TRUE(k.value() == 0xffff || k.value() == 0x8002) << k.str();
    }
    (void)sysfs->has_mode_file(ib0, 4);
    right_or<std::optional<std::uint64_t>>(carrier_changes(sysfs->root(), ib0), 3, std::nullopt, "carrier_changes");
}

struct OddTree : testing::Test {
    // Reports a hang as a failure.
    void SetUp() override
    {
        std::signal(SIGALRM, SIG_DFL);
        ::alarm(100);
    }
    void TearDown() override { ::alarm(0); }
};

TEST_F(OddTree, SpoiltFileGivesTheGoodOrAnUnknownValue)
{
    std::size_t trees = 0;
    for (const auto &victim : victims)
        for (const auto &spoil : spoils) {
            SCOPED_TRACE(victim + ": " + spoil.name);
            const SysTree tree;
            spoil.apply(tree, victim);
            read_everything(tree);
            trees++;
        }
    EXPECT_GE(trees, 400U);
}

/// Two spoilt files find what one hides.
TEST_F(OddTree, TwoSpoiltFilesGiveGoodOrUnknownValues)
{
    for (std::size_t i = 0; i < 300; i++) {
        const auto &a = spoils[i % spoils.size()], &b = spoils[i * 7 % spoils.size()];
        const auto &u = victims[i * 3 % victims.size()], &v = victims[i * 5 % victims.size()];
        SCOPED_TRACE(u + ": " + a.name + ", " + v + ": " + b.name);
        const SysTree tree;
        try {
            a.apply(tree, u);
            b.apply(tree, v);
        } catch (const std::exception &) {
            continue; // the first one is a file now, so the second cannot exist
        }
        read_everything(tree);
    }
}

TEST_F(OddTree, SpoiltStateFilesAreHarmless)
{
    for (const auto &spoil : spoils) {
        SCOPED_TRACE(spoil.name);
        const SysTree tree;
        tree.file("run/mtu-ib0", "4\ndatagram 2044 3\n");
        tree.file("run/4", "[device]\nnm-owned=true\n");
        spoil.apply(tree, "run/mtu-ib0");
        spoil.apply(tree, "run/4");
        const auto run = Dir::open(tree.path("run"));
        const auto root = Dir::open(tree.path());
        EXPECT_FALSE(read_ceiling(tree.path("run"), *root, test::port_link(4, "ib0")));
        if (const auto note = read_device_note(*run, 4)) {
            EXPECT_FALSE(note->nm_owned);
        }
    }
}

TEST_F(OddTree, FunctionWithTooManyHcasHasNoPort)
{
    const SysTree tree;
    for (int i = 0; i < 20; i++) tree.dir(SysTree::at(SysTree::pci, ("infiniband/mlx4_" + std::to_string(i)).c_str()));
    EXPECT_FALSE(Sysfs::open(tree.path())->device(test::ifname("ib0"), 4));
}

} // namespace
} // namespace nmib
