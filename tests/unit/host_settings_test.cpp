// SPDX-License-Identifier: LGPL-2.1-or-later
/// What nm-ib host writes, and what it refuses.
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
using testing::HasSubstr;
using testing::IsEmpty;
using Kind = MemlockTarget::Kind;

TEST(HostFile, TheHeadTellsWhose)
{
    const auto head = host_head("modules", "modules default");
    EXPECT_TRUE(is_host_file(head + "x\n"));
    EXPECT_EQ(host_command(head), "modules");
    for (const char *other :
         {"", "\n", "# Written by nm-ib host modules\n", "x\n# Written by nm-ib host a; to undo: nm-ib host b\n"})
        EXPECT_FALSE(is_host_file(other)) << other;
}

TEST(HostMemlock, Targets)
{
    EXPECT_EQ(MemlockTarget::parse("@rdma")->kind, Kind::group);
    EXPECT_EQ(MemlockTarget::parse("alice")->kind, Kind::user);
    EXPECT_EQ(MemlockTarget::parse("slurmd.service")->kind, Kind::unit);
    EXPECT_EQ(MemlockTarget::parse("user@.service")->kind, Kind::unit);
    for (const char *bad :
         {"", "@", "*", "a b", "a\nb", "../x.service", ".service", "a/b", "%wheel", "@a:b", "0", "-x"})
        EXPECT_FALSE(MemlockTarget::parse(bad)) << bad;
}

TEST(HostMemlock, Sizes)
{
    EXPECT_EQ(MemlockSize::parse("unlimited")->bytes, std::nullopt);
    EXPECT_EQ(MemlockSize::parse("64M")->bytes, 64ULL << 20);
    EXPECT_EQ(MemlockSize::parse("2048M")->str(), "2G");
    for (const char *bad : {"", "64", "0M", "M", "1.5G", "-1M", "99999999999999T", "64MB"})
        EXPECT_FALSE(MemlockSize::parse(bad)) << bad;
}

TEST(HostMemlock, Files)
{
    const auto group = memlock_file(*MemlockTarget::parse("@rdma"), MemlockSize{});
    EXPECT_EQ(group.path(), "/etc/security/limits.d/90-nm-ib-group-rdma.conf");
    EXPECT_THAT(group.text, HasSubstr("\n@rdma - memlock unlimited\n"));
    const auto user = memlock_file(*MemlockTarget::parse("alice"), MemlockSize::parse("1M"));
    EXPECT_THAT(user.text, HasSubstr("\nalice - memlock 1024\n")); // KiB
    const auto unit = memlock_file(*MemlockTarget::parse("a.service"), MemlockSize::parse("1M"));
    EXPECT_EQ(unit.path(), "/etc/systemd/system/a.service.d/90-nm-ib-memlock.conf");
    EXPECT_THAT(unit.text, HasSubstr("\n[Service]\nLimitMEMLOCK=1048576\n"));
    EXPECT_TRUE(unit.own_directory);
    EXPECT_TRUE(memlock_file(*MemlockTarget::parse("a.service"), {}).text.empty());
    for (const auto &file : {group, user, unit}) EXPECT_TRUE(is_host_file(file.text));
}

TEST(HostModules, WhatCardsNeed)
{
    EXPECT_THAT(needed_modules({}), IsEmpty());
    EXPECT_THAT(needed_modules({.drivers = {"mlx4_core"}, .has_infiniband = true, .has_device = true}),
                ElementsAre("mlx4_ib", "ib_ipoib", "ib_umad", "ib_uverbs", "rdma_ucm"));
    EXPECT_THAT(needed_modules({.drivers = {"mlx5_core"}}), ElementsAre("mlx5_ib", "ib_uverbs", "rdma_ucm"));
    EXPECT_THAT(listed_modules("kernel/a/ib-core.ko.xz: kernel/b.ko\nkernel/c/rxe.ko:\nnonsense\n../x y.ko:\n"),
                ElementsAre("ib_core", "rxe"));
    for (const char *bad : {"", "a b", "-x", "a/b", "a\n"}) EXPECT_FALSE(is_module_name(bad)) << bad;
}

TEST(HostNfsServer, FilesAndWhatIsThere)
{
    EXPECT_THAT(nfs_server_file(20049).text, HasSubstr("\n[nfsd]\nrdma=20049\n"));
    EXPECT_EQ(host_command(nfs_server_file(20049).text), "nfs-server rdma");
    EXPECT_EQ(host_command(nfs_server_file(7).text), "nfs-server rdma port 7");
    EXPECT_THAT(nfs_server_file(0).text, HasSubstr("\nrdma=n\n"));
    EXPECT_THAT(rdma_listeners("rdma 20049\nrdma 20049\ntcp 2049\nrdma x\n"), ElementsAre(20049U));
    EXPECT_EQ(nfs_rdma_words("[nfsd]\n rdma = y\n# rdma=n\nrdma-port=20049\n[mountd]\nrdma=n\n"),
              "rdma=y rdma-port=20049");
}

} // namespace
} // namespace nmib
