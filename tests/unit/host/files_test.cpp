// SPDX-License-Identifier: LGPL-2.1-or-later
/// Values of the machine from trees of files.
#include "core/host/nfs_server.hpp"
#include "probe/doctor/host.hpp"
#include "probe/host/memlock.hpp"
#include "probe/host/modules.hpp"
#include "probe/host/nfs_server.hpp"
#include "tree.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <unistd.h>

namespace nmib
{
namespace
{

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

struct HostFilesTest : testing::Test {
    test::Tree tree;

    std::vector<StrayFile> stray(const std::set<std::string> &loaded = {})
    {
        for (const auto *name : {"etc", "proc", "usr"}) tree.dir(name);
        return stray_files(*Dir::open(tree.path() + "/etc"), *Dir::open(tree.path() + "/proc"),
                           *Dir::open(tree.path() + "/usr"), {"ib0"}, loaded);
    }
};

TEST_F(HostFilesTest, KernelRecordIsParsed)
{
    const auto line = parse_kernel_record("6,339,5140900,-;NET: Registered protocol family 10\n SUBSYSTEM=net\n");
    ASSERT_TRUE(line);
    EXPECT_EQ(line->usec, 5140900U);
    EXPECT_EQ(line->text, "NET: Registered protocol family 10");
    for (const auto *bad : {"", ";", "6;x", "6,1;x", "6,1,x;y", "6,1,", "6,1,99999999999999999999999,-;x"})
        EXPECT_FALSE(parse_kernel_record(bad)) << bad;
}

TEST_F(HostFilesTest, MemlockLimitIsParsed)
{
    constexpr const char *head = "Limit                     Soft Limit           Hard Limit           Units\n";
    EXPECT_EQ(parse_memlock(std::string(head) +
                            "Max locked memory         8388608              8388608              bytes\n"),
              8388608U);
    EXPECT_EQ(parse_memlock("Max locked memory         unlimited            unlimited            bytes\n"),
              std::numeric_limits<std::uint64_t>::max());
    for (const auto *bad : {"", "Max locked memory", "Max locked memory   \n", "Max locked memory  much  bytes"})
        EXPECT_FALSE(parse_memlock(bad)) << bad;
}

TEST_F(HostFilesTest, LimitsOfJobStartersAreRead)
{
    tree.file("proc/77/comm", "slurmd\n");
    tree.file("proc/77/limits", "Max locked memory         65536              65536              bytes\n");
    tree.file("proc/78/comm", "cron\n");
    tree.file("proc/78/limits", "Max locked memory         65536              65536              bytes\n");
    tree.file("proc/self2/comm", "slurmd\n");
    tree.file("proc/77/status", "Name:\tslurmd\nCapEff:\t000001ffffffffff\n"); // not inherited by its jobs
    const auto all = read_memlock_limits(*Dir::open(tree.path() + "/proc"));
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all[0].pid, 77);
    EXPECT_EQ(all[0].bytes, 65536U);
}

TEST_F(HostFilesTest, ProcessesWithIpcLockAreSkipped)
{
    const auto process = [&](const char *pid, const char *capabilities, const char *map) {
        const auto at = std::string("proc/") + pid + "/";
        tree.file(at + "comm", "ib_write_bw\n");
        tree.link(at + "fd/3", "/dev/infiniband/uverbs0");
        tree.file(at + "limits", "Max locked memory         65536              65536              bytes\n");
        tree.file(at + "status", std::string("Name:\tx\nCapEff:\t") + capabilities + "\nCapBnd:\t0\n");
        tree.file(at + "uid_map", map);
    };
    constexpr const char *first = "         0          0 4294967295\n";
    process("77", "0000000000004000", first);
    process("78", "00000000ffffbfff", first);
    process("79", "000001ffffffffff", "         0       1000          1\n"); // in a user namespace
    std::vector<int> pids;
    for (const auto &limit : read_memlock_limits(*Dir::open(tree.path() + "/proc"))) pids.push_back(limit.pid);
    std::sort(pids.begin(), pids.end());
    EXPECT_EQ(pids, (std::vector<int>{78, 79}));
}

TEST_F(HostFilesTest, NfsSettingsAndListenersAreRead)
{
    const auto read = [&] {
        return read_nfs_server(*Dir::open(tree.path() + "/etc"), *Dir::open(tree.path() + "/proc"));
    };
    tree.file("etc/services", "nfs 2049/tcp\n");
    tree.file("etc/nfs.conf", "[nfsd]\nrdma=y\n");
    tree.file("proc/fs/nfsd/portlist", "");
    auto s = read();
    EXPECT_TRUE(s.name_unknown && s.wanted.empty() && !s.runs);
    tree.file("etc/nfs.conf.d/90-x.conf", "[nfsd]\nrdma=20049\n");
    tree.file("etc/nfs.conf.d/95-x.conf", "[nfsd]\nthreads=8\n");
    tree.file("proc/fs/nfsd/portlist", "tcp 2049\nrdma 20050\n");
    s = read();
    ASSERT_EQ(s.files.size(), 2U);
    EXPECT_TRUE(s.runs && !s.name_unknown);
    EXPECT_EQ(s.wanted, std::vector<unsigned>{20049});
    EXPECT_EQ(s.listeners, std::vector<unsigned>{20050});

    tree.file("etc/fstab", "s:/a /a nfs rdma 0 0\ns:/b /b nfs rdma,noauto 0 0\ns:/e /e nfs rdma,x-systemd.automount 0 "
                           "0\ns:/c /c nfs rw 0 0\n");
    tree.file("proc/self/mounts", "s:/a /a nfs4 rw,proto=tcp 0 0\ns:/d /d nfs4 rw,proto=rdma 0 0\n");
    const auto m = read_nfs_mounts(*Dir::open(tree.path() + "/etc"), *Dir::open(tree.path() + "/proc"));
    ASSERT_EQ(m.size(), 4U);
    EXPECT_TRUE(m[0].mounted && !m[0].over_rdma && m[0].automatic);
    EXPECT_TRUE(!m[1].mounted && !m[1].automatic && !m[2].automatic);
    EXPECT_TRUE(m[3].where == "/d" && m[3].over_rdma && !m[3].in_fstab);
}

TEST_F(HostFilesTest, IfcfgFilesAreStrayWithAReason)
{
    const std::string place = "etc/sysconfig/network-scripts/";
    tree.file(place + "ifcfg-eth0", "DEVICE=eth0\nTYPE=Ethernet\n");
    tree.file(place + "ifcfg-ib0", "DEVICE=\"ib0\"\nNM_CONTROLLED=no\n");
    tree.file(place + "ifcfg-ib1", "DEVICE=ib1\nTYPE=InfiniBand\n");
    tree.file(place + "ifcfg-ib0.bak", "DEVICE=ib0\n");
    const auto all = stray();
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(all[0].why, StrayFile::Why::ifcfg_type);
    EXPECT_TRUE(all[0].path.ends_with("/ifcfg-ib0"));
    EXPECT_EQ(all[1].why, StrayFile::Why::ifcfg_unread);
    tree.file(place + "ifcfg-ib2", "DEVICE=ib2\nTYPE=InfiniBand\n");
    const auto loaded = stray({all[1].path, all[1].path.substr(0, all[1].path.size() - 1) + "2"});
    ASSERT_EQ(loaded.size(), 2U);
    EXPECT_EQ(loaded[1].why, StrayFile::Why::ifcfg_used) << "once";
}

TEST_F(HostFilesTest, InterfacesFileIsStrayWithIfupdown2)
{
    tree.file("etc/network/interfaces", "auto ib0\niface ib0 inet dhcp\niface eth0 inet dhcp\n");
    EXPECT_THAT(stray(), IsEmpty());
    tree.dir("usr/share/ifupdown2");
    const auto all = stray();
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all[0].why, StrayFile::Why::ifupdown2);
    EXPECT_EQ(all[0].detail, "ib0");
}

TEST_F(HostFilesTest, IfnameWordOfTheKernelCommandLineIsStray)
{
    tree.file("proc/cmdline", "quiet ifname=eth0:00:11:22:33:44:55 ifname=ib0:00:02:c9:0a:00:01 ifname=ib0 ifname=\n");
    const auto all = stray();
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all[0].why, StrayFile::Why::boot_word);
}

TEST_F(HostFilesTest, MissingVerbsNodesAndProvidersAreReported)
{
    tree.file("sys/class/infiniband_verbs/uverbs0/ibdev", "mlx5_0\n");
    tree.file("sys/class/infiniband_verbs/uverbs1/ibdev", "mlx5_1\n");
    tree.file("sys/class/infiniband_verbs/abi_version", "6\n");
    tree.file("dev/infiniband/uverbs0", "");
    tree.dir("sys/bus/pci/drivers/mlx5_core");
    tree.link("sys/class/infiniband/mlx5_0/device/driver", "../../../../bus/pci/drivers/mlx5_core");
    const auto sysfs = *Dir::open(tree.path() + "/sys");
    EXPECT_THAT(missing_verbs_nodes(sysfs, *Dir::open(tree.path() + "/dev")), ElementsAre(Pair("uverbs1", "mlx5_1")));
    const auto root = *Dir::open(tree.path());
    EXPECT_THAT(missing_verbs_providers(sysfs, root), IsEmpty()); // the library is not used
    tree.file("usr/lib64/libibverbs.so.1", "");
    EXPECT_THAT(missing_verbs_providers(sysfs, root), ElementsAre(Pair("mlx5_0", "mlx5")));
    tree.file("etc/libibverbs.d/mlx5.driver", "driver mlx5\n");
    EXPECT_THAT(missing_verbs_providers(sysfs, root), IsEmpty());
}

TEST_F(HostFilesTest, ModuleStatesComeFromSysfsInAContainer)
{
    tree.dir("sys/module/ib_umad");
    const std::vector<std::string> names{"ib_umad", "ib_uverbs"};
    const auto states =
        module_states(*Dir::open(tree.path() + "/sys"), Dir::open(tree.path() + "/absent"), "6.1.0", names);
    EXPECT_EQ(states.at("ib_umad").state, KernelModule::State::loaded);
    EXPECT_FALSE(states.contains("ib_uverbs"));
}

TEST_F(HostFilesTest, InfinibandFunctionWithoutADriverIsReported)
{
    tree.file("sys/bus/pci/devices/0000:05:00.0/class", "0x020700\n");
    tree.file("sys/bus/pci/devices/0000:05:00.0/vendor", "0x15b3\n");
    tree.file("sys/bus/pci/devices/0000:05:00.0/device", "0x1021\n");
    tree.file("sys/bus/pci/devices/0000:0a:00.0/class", "0x0c0600\n"); // of another vendor
    tree.file("sys/bus/pci/devices/0000:0a:00.0/vendor", "0x1077\n");
    tree.file("sys/bus/pci/devices/0000:06:00.0/class", "0x020000\n");
    tree.file("sys/bus/pci/devices/0000:07:00.0/class", "0x020700\n");
    tree.dir("sys/bus/pci/devices/0000:07:00.0/driver");
    tree.file("sys/bus/pci/devices/0000:08:00.0/class", "0x020700\n");
    tree.dir("sys/bus/pci/devices/0000:08:00.0/physfn");
    tree.file("sys/bus/pci/devices/0000:09:00.0/class", "0x028000\n"); // another network controller
    tree.file("sys/bus/pci/devices/0000:09:00.0/vendor", "0x15b3\n");
    tree.file("sys/bus/pci/devices/0000:09:00.0/device", "0x1003\n");
    EXPECT_THAT(
        unbound_functions(*Dir::open(tree.path() + "/sys")),
        ElementsAre(Pair("0000:05:00.0", "mlx5_core"), Pair("0000:09:00.0", "mlx4_core"), Pair("0000:0a:00.0", "")));
}

} // namespace
} // namespace nmib
