// SPDX-License-Identifier: LGPL-2.1-or-later
#include "make.hpp"
#include "probe/plan/state.hpp"
#include "probe/plan/sysfs.hpp"
#include "tree.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/resource.h>

#include <umockdev.h>

namespace nmib
{
namespace
{

using test::ifname;
using testing::ElementsAre;
using testing::IsEmpty;

struct SysfsTest : testing::Test {
    test::SysTree tree;
    Sysfs sysfs = *Sysfs::open(tree.path());
    const IfName ib0 = ifname("ib0");

    static std::string net(const char *name) { return test::SysTree::at(test::SysTree::net, name); }
    static std::string pci(const char *name) { return test::SysTree::at(test::SysTree::pci, name); }
    static std::string hca(const char *name) { return test::SysTree::at(test::SysTree::hca, name); }
};

TEST_F(SysfsTest, DeviceAndPortOfAnInterfaceAreRead)
{
    const auto device = sysfs.device(ib0, 4);
    ASSERT_TRUE(device) << device.error().what;
    EXPECT_EQ(device->name, "mlx4_0");
    EXPECT_EQ(device->driver, "mlx4_core");
    EXPECT_EQ(device->pci_id->str(), "15b3:634a");
    EXPECT_EQ(*device->pci_revision, 0xa0U);
    EXPECT_EQ(*device->hw_rev, "a0");
    EXPECT_EQ(device->ports[0].number, 1U);
    EXPECT_FALSE(device->ports[0].sm_lid) << "a firmware query";
    EXPECT_EQ(*sysfs.sm_lid(device->name, 1), 1U);
    EXPECT_EQ(*sysfs.pkeys("mlx4_0", 1), test::pkey_table({test::pkey(0xffff), test::pkey(0x8002)}));
}

TEST_F(SysfsTest, DevPort1IsPort2)
{
    tree.file(net("dev_port"), "1\n");
    tree.file(hca("ports/2/sm_lid"), "0x0\n");
    const auto device = sysfs.device(ib0, 4);
    ASSERT_TRUE(device);
    EXPECT_EQ(device->ports[0].number, 2U);
    EXPECT_EQ(*sysfs.sm_lid(device->name, 2), 0U);
}

TEST_F(SysfsTest, ChildHasNoPort)
{
    tree.child("ib0.8002", 5);
    EXPECT_EQ(sysfs.device(ifname("ib0.8002"), 5).error().kind, Error::Kind::absent);
    EXPECT_TRUE(*sysfs.has_mode_file(ifname("ib0.8002"), 5));
}

TEST_F(SysfsTest, ModeFileIsThatOfTheSameIfindex)
{
    EXPECT_TRUE(*sysfs.has_mode_file(ib0, 4));
    EXPECT_FALSE(*sysfs.has_mode_file(ib0, 5)); // another interface has the name now
    EXPECT_FALSE(*sysfs.has_mode_file(ifname("ib1"), 4));
    tree.remove(net("mode"));
    EXPECT_FALSE(*sysfs.has_mode_file(ib0, 4));
    tree.link("class/net/ib7", "ib7");
    EXPECT_FALSE(sysfs.has_mode_file(ifname("ib7"), 7)); // unknown
}

TEST_F(SysfsTest, MissingDescriptorsGiveNoMissingModeFile)
{
    rlimit before{};
    ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
    const UniqueFd next(::open("/", O_PATH | O_CLOEXEC));
    // Without `this`, because a sanitizer that checks the pointer needs a descriptor.
    const auto look = [&of = sysfs, link = ib0] { return of.has_mode_file(link, 4); };
    int unknown = 0;
    for (int left = 0; left < 4; left++) {
        const rlimit few{static_cast<rlim_t>(next.get() + 1 + left), before.rlim_max};
        ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
        const auto there = look();
        ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
        unknown += !there;
        EXPECT_TRUE(!there || *there) << left;
    }
    EXPECT_EQ(unknown, 2); // the directory, and its first file
}

TEST_F(SysfsTest, UnreadableFileIsNotReportedAsAbsent)
{
    const auto kind = [&] { return sysfs.device(ib0, 4).error().kind; };
    tree.remove(hca("hw_rev")); // not every driver reports it
    EXPECT_EQ(sysfs.device(ib0, 4)->revision(), 0xa0U);
    for (const auto &file : {pci("device"), pci("revision"), net("dev_port"), net("ifindex")}) {
        const auto good = tree.content(file);
        tree.remove(file);
        EXPECT_EQ(kind(), Error::Kind::io) << file;
        tree.file(file, "much\n");
        EXPECT_EQ(kind(), Error::Kind::invalid) << file;
        tree.file(file, good);
    }
    EXPECT_TRUE(sysfs.device(ib0, 4));
    EXPECT_THAT(sysfs.device(ib0, 5).error().what, testing::HasSubstr("the interface was replaced meanwhile"));
    EXPECT_EQ(sysfs.device(ifname("ib9"), 9).error().kind, Error::Kind::io); // was there before
    tree.dir(hca("hw_rev"));
    EXPECT_THAT(sysfs.device(ib0, 4).error().what, testing::HasSubstr("mlx4_0/hw_rev: not a regular file"));
    tree.remove(hca("hw_rev"));
    tree.remove(pci("vendor")); // no PCI device, e.g. the auxiliary device of a scalable function
    EXPECT_FALSE(sysfs.device(ib0, 4)->pci_id);
    tree.remove(pci("infiniband"));
    EXPECT_EQ(kind(), Error::Kind::io);
    tree.remove(net("device"));
    EXPECT_EQ(kind(), Error::Kind::absent);
}

TEST_F(SysfsTest, MissingDescriptorsGiveNoAbsentPort)
{
    rlimit before{};
    ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
    const UniqueFd next(::open("/", O_PATH | O_CLOEXEC));
    // Without `this`, because a sanitizer that checks the pointer needs a descriptor.
    const auto look = [&of = sysfs, link = ib0] { return of.device(link, 4); };
    int unread = 0;
    for (int left = 0; left < 8; left++) {
        const rlimit few{static_cast<rlim_t>(next.get() + 1 + left), before.rlim_max};
        ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
        const auto device = look();
        ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
        if (device) {
            EXPECT_EQ(*device->hw_rev, "a0") << left;
        } else {
            unread++;
            EXPECT_NE(device.error().kind, Error::Kind::absent) << left;
        }
    }
    EXPECT_GE(unread, 3);
    EXPECT_LT(unread, 8);
}

TEST_F(SysfsTest, UnreadableLidIsUnknown)
{
    tree.remove(hca("ports/1/sm_lid"));
    EXPECT_FALSE(sysfs.sm_lid("mlx4_0", 1));
    EXPECT_FALSE(sysfs.sm_lid("../mlx4_0", 1));
}

TEST_F(SysfsTest, FunctionWithTwoRdmaDevicesHasNoPort)
{
    tree.dir(pci("infiniband/mlx4_9"));
    EXPECT_FALSE(sysfs.device(ib0, 4));
    tree.remove(pci("infiniband"));
    tree.dir(pci("infiniband"));
    EXPECT_FALSE(sysfs.device(ib0, 4));
}

TEST_F(SysfsTest, SparsePKeyTableIsRead)
{
    tree.file(hca("ports/1/pkeys/65535"), "0x8003\n");
    tree.file(hca("ports/1/pkeys/99999"), "0x8004\n"); // no such index
    tree.file(hca("ports/1/pkeys/-1"), "0x8005\n");
    tree.file(hca("ports/1/pkeys/x"), "0x8006\n");
    EXPECT_THAT(*sysfs.pkeys("mlx4_0", 1),
                ElementsAre(PKeyEntry{0, test::pkey(0xffff)}, PKeyEntry{1, test::pkey(0x8002)},
                            PKeyEntry{65535, test::pkey(0x8003)}));
    tree.file(hca("ports/1/pkeys/3"), "0x18007\n"); // the missing entry may be the key that a child needs
    EXPECT_EQ(sysfs.pkeys("mlx4_0", 1).error().kind, Error::Kind::invalid);
}

TEST_F(SysfsTest, PKeysOfAnInvalidPortAreAnError)
{
    EXPECT_FALSE(sysfs.pkeys("mlx4_0", 2));
    for (const char *name : {"", ".", "..", "../net/ib0", "mlx4_0/ports"}) EXPECT_FALSE(sysfs.pkeys(name, 1)) << name;
    EXPECT_FALSE(sysfs.pkeys(std::string(64, 'x'), 1));
    tree.remove(hca("ports/1/pkeys"));
    tree.dir(hca("ports/1/pkeys"));
    EXPECT_THAT(*sysfs.pkeys("mlx4_0", 1), IsEmpty());
}

TEST(Sysfs, MissingTreeIsAnError) { EXPECT_FALSE(Sysfs::open("/nonexistent/sys")); }

/// The same tree in umockdev's layout.
TEST(Sysfs, UmockdevTreeIsRead)
{
    const std::unique_ptr<UMockdevTestbed, decltype(&g_object_unref)> bed(umockdev_testbed_new(), &g_object_unref);
    ASSERT_TRUE(umockdev_testbed_add_from_string(bed.get(), R"(P: /devices/pci0000:00/0000:02:00.0
E: SUBSYSTEM=pci
A: vendor=0x15b3\n
A: device=0x1013\n
A: revision=0x00\n
L: driver=../../../bus/pci/drivers/mlx5_core

P: /devices/pci0000:00/0000:02:00.0/infiniband/mlx5_0
E: SUBSYSTEM=infiniband
A: hw_rev=0\n
A: ports/1/state=4: ACTIVE\n
A: ports/1/sm_lid=0xb\n
A: ports/1/pkeys/0=0x7fff\n

P: /devices/pci0000:00/0000:02:00.0/net/ibp2s0
E: SUBSYSTEM=net
A: ifindex=12\n
A: dev_port=0\n
L: device=../../../0000:02:00.0
)",
                                                 nullptr));
    gchar *root = umockdev_testbed_get_sys_dir(bed.get());
    const auto sysfs = Sysfs::open(root);
    g_free(root);
    ASSERT_TRUE(sysfs);
    const auto device = sysfs->device(ifname("ibp2s0"), 12);
    ASSERT_TRUE(device) << device.error().what;
    EXPECT_EQ(device->name, "mlx5_0");
    EXPECT_EQ(device->driver, "mlx5_core");
    EXPECT_EQ(device->pci_id->device, 0x1013);
    EXPECT_EQ(device->revision(), 0U);
    EXPECT_EQ(*sysfs->sm_lid(device->name, 1), 0xbU);
    EXPECT_EQ(*sysfs->pkeys("mlx5_0", 1), test::pkey_table({test::pkey(0x7fff)}));
    EXPECT_FALSE(*sysfs->has_mode_file(ifname("ibp2s0"), 12));
}

struct StateTest : SysfsTest {
    test::Tree run;
    Dir state = *Dir::open(run.path());
    Link link = test::port_link(4, "ib0");
};

TEST_F(StateTest, CeilingIsValidForItsModeAndCarrierCounter)
{
    EXPECT_EQ(carrier_changes(sysfs.root(), ib0), 3U);
    EXPECT_FALSE(read_ceiling(run.path(), sysfs.root(), link));
    run.file("mtu-ib0", "4\ndatagram 2044 3\n");
    EXPECT_EQ(read_ceiling(run.path(), sysfs.root(), link), 2044U);
    link.mode = TransportMode::connected;
    EXPECT_FALSE(read_ceiling(run.path(), sysfs.root(), link));
    link.mode = TransportMode::datagram;
    link.ifindex = 5;
    EXPECT_FALSE(read_ceiling(run.path(), sysfs.root(), link));
    link.ifindex = 4;
    tree.file(net("carrier_changes"), "4\n");
    EXPECT_FALSE(read_ceiling(run.path(), sysfs.root(), link));
    tree.remove(net("carrier_changes"));
    EXPECT_FALSE(read_ceiling(run.path(), sysfs.root(), link));
}

TEST(Ceiling, TextIsReadBack)
{
    const Ceiling c{TransportMode::connected, 65520, UINT64_MAX};
    EXPECT_EQ(c.str(), "connected 65520 18446744073709551615\n");
    const auto back = Ceiling::parse(c.str());
    ASSERT_TRUE(back);
    EXPECT_EQ(back->str(), c.str());
    for (const char *bad :
         {"", "datagram", "datagram 2044", "datagram 2044 ", "datagram x 1", "datagram 2044 1 1", "dgram 2044 1",
          "datagram -1 1", "datagram 65521 1", "datagram  2044 1", "datagram 2044 -1", "datagram\n2044\n1"})
        EXPECT_FALSE(Ceiling::parse(bad)) << bad;
}

TEST_F(StateTest, DeviceFileOfNetworkManagerIsRead)
{
    EXPECT_FALSE(read_device_note(state, 7));
    run.file("7", "[device]\nnm-owned=true\nconnection-uuid=1234\n");
    auto note = read_device_note(state, 7);
    ASSERT_TRUE(note);
    EXPECT_TRUE(note->nm_owned);
    EXPECT_EQ(note->profile_uuid, "1234");
    for (const char *not_owned : {"", "[device]\n", "[device]\nnm-owned=maybe\n", "[other]\nnm-owned=true\n"}) {
        run.file("7", not_owned);
        note = read_device_note(state, 7);
        ASSERT_TRUE(note);
        EXPECT_FALSE(note->nm_owned) << not_owned;
    }
    run.file("7", "nonsense");
    EXPECT_FALSE(read_device_note(state, 7));
}

} // namespace
} // namespace nmib
