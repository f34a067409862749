// SPDX-License-Identifier: LGPL-2.1-or-later
// The files of the machine's settings, and the words that are none.
#include "core/host/memlock.hpp"
#include "core/host/modules.hpp"
#include "core/host/nfs_server.hpp"
#include "core/host/opensm.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace nmib
{
namespace
{

using testing::ElementsAre;
using testing::IsEmpty;
using Kind = MemlockTarget::Kind;

TEST(HostFile, HeadLine)
{
    EXPECT_TRUE(is_host_file(host_head("modules", "modules default") + "ib_umad\n"));
    EXPECT_EQ(host_command(host_head("nfs-server rdma", "nfs-server default")), "nfs-server rdma");
    for (const auto *other : {"", "\n", "# Written by hand\n", "# Written by nm-ib host ",
                              "# Written by nm-ib host modules\n", "# Written by nm-ib host ; to undo: nm-ib host ",
                              "\n# Written by nm-ib host modules; to undo: nm-ib host modules default\n"})
        EXPECT_FALSE(is_host_file(other)) << other;
}

TEST(Memlock, Targets)
{
    const std::pair<const char *, Kind> good[] = {{"@rdma", Kind::group},
                                                  {"alice", Kind::user},
                                                  {"_a-b.c", Kind::user},
                                                  {"host$", Kind::user},
                                                  {"slurmd.service", Kind::unit},
                                                  {"user@.service", Kind::unit},
                                                  {"opensm@0x1.service", Kind::unit}};
    for (const auto &[word, kind] : good) {
        const auto target = MemlockTarget::parse(word);
        ASSERT_TRUE(target) << word;
        EXPECT_EQ(target->kind, kind) << word;
        EXPECT_EQ(target->str(), word);
    }
    for (const auto *bad : {"", "@", "*", "%", "@@a", "a b", "a/b", "../x.service", "@a/b", "1:2", "a\nb", ".service",
                            "@.service", "a\n.service", "-a", "%@"})
        EXPECT_FALSE(MemlockTarget::parse(bad)) << bad;
}

TEST(Memlock, Sizes)
{
    EXPECT_EQ(MemlockSize::parse("64M")->bytes, 64U << 20);
    EXPECT_EQ(MemlockSize::parse("1024K")->str(), "1M");
    EXPECT_EQ(MemlockSize::parse("1025K")->str(), "1025K");
    EXPECT_EQ(MemlockSize::parse("2048T")->str(), "2048T");
    EXPECT_FALSE(MemlockSize::parse("unlimited")->bytes);
    for (const auto *bad : {"", "M", "0M", "64", "-1M", "64m", "64MB", " 64M", "6.4M", "99999999999999999999G",
                            "infinity", "1048577T", "default"})
        EXPECT_FALSE(MemlockSize::parse(bad)) << bad;
}

TEST(Memlock, Files)
{
    const auto group = memlock_file(*MemlockTarget::parse("@rdma"), MemlockSize{});
    EXPECT_EQ(group.path(), "/etc/security/limits.d/90-nm-ib-group-rdma.conf");
    EXPECT_FALSE(group.own_directory);
    EXPECT_EQ(group.text, "# Written by nm-ib host memlock @rdma unlimited; to undo: nm-ib host memlock @rdma default\n"
                          "@rdma - memlock unlimited\n");
    const auto user = memlock_file(*MemlockTarget::parse("rdma"), MemlockSize{64U << 20});
    EXPECT_EQ(user.name, "90-nm-ib-user-rdma.conf");
    EXPECT_TRUE(user.text.ends_with("\nrdma - memlock 65536\n"));
    const auto unit = memlock_file(*MemlockTarget::parse("slurmd.service"), MemlockSize{});
    EXPECT_EQ(unit.path(), "/etc/systemd/system/slurmd.service.d/90-nm-ib-memlock.conf");
    EXPECT_TRUE(unit.own_directory);
    EXPECT_TRUE(unit.text.ends_with("\n[Service]\nLimitMEMLOCK=infinity\n"));
    EXPECT_TRUE(memlock_file(*MemlockTarget::parse("x.mount"), MemlockSize{1U << 20})
                    .text.ends_with("\n[Mount]\nLimitMEMLOCK=1048576\n"));
    EXPECT_EQ(memlock_file(*MemlockTarget::parse("@rdma"), {}).path(), group.path());
    EXPECT_EQ(memlock_file(*MemlockTarget::parse("@rdma"), {}).text, "");
}

TEST(NfsServer, Files)
{
    EXPECT_EQ(nfs_server_file(20049).path(), "/etc/nfs.conf.d/90-nm-ib.conf");
    EXPECT_EQ(nfs_server_file(20049).text,
              "# Written by nm-ib host nfs-server rdma; to undo: nm-ib host nfs-server default\n[nfsd]\nrdma=20049\n");
    EXPECT_TRUE(nfs_server_file(2050).text.ends_with("\n[nfsd]\nrdma=2050\n"));
    EXPECT_EQ(host_command(nfs_server_file(2050).text), "nfs-server rdma port 2050");
    EXPECT_TRUE(nfs_server_file(0).text.ends_with("\n[nfsd]\nrdma=n\n"));
}

TEST(NfsServer, WhatOthersSay)
{
    EXPECT_THAT(rdma_listeners("rdma 20049\nrdma 20049\ntcp 2049\nudp 2049\n"), ElementsAre(20049));
    EXPECT_THAT(rdma_listeners("rdma\nrdma x\nrdma 99999\nxrdma 1\n"), IsEmpty());
    EXPECT_EQ(nfs_rdma_words("[general]\nrdma=y\n[nfsd]\n# rdma=n\n rdma = y \nrdma-port=20049\n[x]\nrdma=n"),
              "rdma=y rdma-port=20049");
    EXPECT_EQ(nfs_rdma_words("[nfsd]\nthreads=8\n"), "");
}

TEST(Modules, WhatCardsNeed)
{
    EXPECT_THAT(needed_modules({}), IsEmpty());
    EXPECT_THAT(needed_modules({.drivers = {"mlx4_core"}, .has_infiniband = true, .has_device = true}),
                ElementsAre("mlx4_ib", "ib_ipoib", "ib_umad", "ib_uverbs", "rdma_ucm"));
    EXPECT_THAT(needed_modules({.drivers = {"mlx5_core"}, .has_device = true}),
                ElementsAre("mlx5_ib", "ib_uverbs", "rdma_ucm"));
    EXPECT_THAT(needed_modules({.has_device = true}), ElementsAre("ib_uverbs", "rdma_ucm"));
}

TEST(Modules, Names)
{
    EXPECT_THAT(listed_modules("kernel/drivers/infiniband/core/ib_umad.ko.xz: kernel/x/ib_core.ko\n"
                               "kernel/net/rds-tcp.ko:\nkernel/fs/ext4.ko\n\nodd\n/.ko\n"),
                ElementsAre("ext4", "ib_umad", "rds_tcp"));
    EXPECT_EQ(module_name("rds-tcp"), "rds_tcp");
    for (const auto *bad : {"", "-x", "a b", "a/b", "a\n", "../a", "x;y"}) EXPECT_FALSE(is_module_name(bad)) << bad;
    const std::string all[] = {"ib_umad", "rdma_ucm"};
    EXPECT_EQ(modules_file(all, "modules").path(), "/etc/modules-load.d/90-nm-ib.conf");
    EXPECT_EQ(modules_file(all, "modules").text,
              "# Written by nm-ib host modules; to undo: nm-ib host modules default\nib_umad\nrdma_ucm\n");
}

TEST(Opensm, Files)
{
    OpensmSetting setting{.ports = {Guid{0x0002c903000a0001}, Guid{0x0002c903000a0002}}};
    auto files = opensm_files(setting, true);
    ASSERT_EQ(files.size(), 2U);
    EXPECT_EQ(files[0].path(), "/etc/systemd/system/opensm.service.d/90-nm-ib.conf");
    EXPECT_TRUE(files[0].text.ends_with("\n[Service]\nEnvironmentFile=\nEnvironment=\"PORTS=0x0002c903000a0001 "
                                        "0x0002c903000a0002\" \"GUIDS=0x0002c903000a0001 0x0002c903000a0002\"\n"));
    EXPECT_EQ(files[1].text, "") << "no priority: no second file";
    setting.priority = 7;
    files = opensm_files(setting, true);
    EXPECT_TRUE(files[0].text.ends_with("\" PRIORITY=7\n"));
    EXPECT_EQ(files[1].path(), "/etc/systemd/system/opensm@.service.d/90-nm-ib.conf");
    EXPECT_TRUE(files[1].text.ends_with("\n[Service]\nExecStart=\nExecStart=/usr/sbin/opensm --guid %I --priority 7 "
                                        "--log_file /var/log/opensm.%I.log\n"));
    EXPECT_EQ(opensm_files(setting, false)[1].text, "");
    EXPECT_EQ(host_command(files[0].text), "opensm 0x0002c903000a0001 0x0002c903000a0002 priority 7");
}

} // namespace
} // namespace nmib
