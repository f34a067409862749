// SPDX-License-Identifier: LGPL-2.1-or-later
// Files of the machine's settings, and invalid words.
#include "core/base/text.hpp"
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

TEST(HostFile, HeadLineHasCommandAndChecksum)
{
    const auto text = host_text("nfs-server rdma", "nfs-server unset", "[nfsd]\n");
    EXPECT_TRUE(is_host_file(text) && checksum_holds(text));
    EXPECT_EQ(host_command(text), "nfs-server rdma");
    EXPECT_FALSE(checksum_holds(text + "# mine\n"));
    EXPECT_FALSE(checksum_holds("# Written by nm-ib host rails ib0; to undo: nm-ib host rails unset\nx\n"));
    for (const auto *other : {"", "\n", "# Written by hand\n", "# Written by nm-ib host ",
                              "# Written by nm-ib host rails\n", "# Written by nm-ib host ; to undo: nm-ib host ",
                              "\n# Written by nm-ib host rails; to undo: nm-ib host rails unset\n"})
        EXPECT_FALSE(is_host_file(other)) << other;
}

TEST(Memlock, GroupNamesAreChecked)
{
    for (const auto *good : {"rdma", "_a-b.c", "host$"}) EXPECT_TRUE(is_group_name(good)) << good;
    for (const auto *bad : {"", "*", "%", "@a", "a b", "a/b", "1:2", "a\nb", "-a", "1a"})
        EXPECT_FALSE(is_group_name(bad)) << bad;
}

TEST(Memlock, SizeIsParsedWithUnits)
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

TEST(Memlock, FileHasPathAndTextOfTheGroup)
{
    const auto unlimited = memlock_file("rdma", MemlockSize{});
    EXPECT_EQ(unlimited.path(), "/etc/security/limits.d/90-nm-ib-group-rdma.conf");
    EXPECT_FALSE(unlimited.own_directory);
    EXPECT_TRUE(unlimited.text.ends_with("\n@rdma - memlock unlimited\n") && checksum_holds(unlimited.text));
    EXPECT_TRUE(memlock_file("rdma", MemlockSize{64U << 20}).text.ends_with("\n@rdma - memlock 65536\n"));
    EXPECT_EQ(memlock_file("rdma", {}).path(), unlimited.path());
    EXPECT_EQ(memlock_file("rdma", {}).text, "");
}

TEST(NfsServer, ForeignSettingsAreRead)
{
    EXPECT_THAT(rdma_listeners("rdma 20049\nrdma 20049\ntcp 2049\nudp 2049\n"), ElementsAre(20049));
    EXPECT_THAT(rdma_listeners("rdma\nrdma x\nrdma 99999\nxrdma 1\n"), IsEmpty());
    EXPECT_EQ(NfsSetting().read("[general]\nrdma=y\n[nfsd]\n# rdma=n\n rdma = y \nrdma-port=20049\n[x]\nrdma=n"),
              "rdma=y rdma-port=20049");
    EXPECT_EQ(NfsSetting().read("[nfsd]\nthreads=8\n"), "");
}

TEST(Modules, ListedModulesAreParsed)
{
    EXPECT_THAT(listed_modules("kernel/drivers/infiniband/core/ib_umad.ko.xz: kernel/x/ib_core.ko\n"
                               "kernel/net/rds-tcp.ko:\nkernel/fs/ext4.ko\n\nodd\n/.ko\n"),
                ElementsAre("ext4", "ib_umad", "rds_tcp"));
}

TEST(Opensm, FileHasThePorts)
{
    const Guid ports[] = {Guid{0x0002c903000a0001}, Guid{0x0002c903000a0002}};
    const auto file = opensm_file(ports);
    EXPECT_EQ(file.path(), "/etc/systemd/system/opensm.service.d/90-nm-ib.conf");
    EXPECT_TRUE(file.text.ends_with("\n[Service]\nEnvironmentFile=\nEnvironment=\"PORTS=0x0002c903000a0001 "
                                    "0x0002c903000a0002\" \"GUIDS=0x0002c903000a0001 0x0002c903000a0002\"\n"));
    EXPECT_EQ(host_command(file.text), "opensm 0x0002c903000a0001 0x0002c903000a0002");
    EXPECT_EQ(opensm_file({}).text, "");
}

TEST(Partitions, PartitionLinesFollowFromTheProfiles)
{
    const auto lines = [](std::initializer_list<Intent> profiles) {
        return partition_lines(std::vector<Intent>(profiles));
    };
    const auto of = [](std::optional<std::uint16_t> key, Mtu mtu, TransportMode mode = TransportMode::datagram) {
        Intent i;
        i.p_key = key, i.mtu = mtu, i.mode = mode;
        return i;
    };
    const auto *usual = "Default=0x7fff, ipoib, defmember=full : ALL;";
    EXPECT_THAT(lines({}), IsEmpty());
    EXPECT_THAT(lines({of({}, 0), of({}, 2044), of({}, 65520, TransportMode::connected)}), IsEmpty())
        << "without a file opensm does all that";
    EXPECT_THAT(lines({of({}, 2045)}), ElementsAre("Default=0x7fff, ipoib, mtu=5, defmember=full : ALL;"));
    EXPECT_THAT(lines({of(0x0002, 0), of(0x8002, 4092), of(0x8003, 2044), of(0xffff, 0), of(0x8000, 0)}),
                ElementsAre(usual, "P8002=0x8002, ipoib, mtu=5, defmember=full : ALL;",
                            "P8003=0x8003, ipoib, defmember=full : ALL;"));
}

TEST(Opensm, OptionIsReadFromTheConfiguration)
{
    const auto *conf = "# partition_config_file /a\nguid 0x1\n partition_config_file\t/b # c\n";
    EXPECT_EQ(opensm_option(conf, "partition_config_file"), "/b");
    EXPECT_EQ(opensm_option(conf, "partition"), "");
    EXPECT_EQ(opensm_option("partition_config_file (null)\n", "partition_config_file"), "");
}

TEST(Memlock, UnitIsReadFromTheCgroup)
{
    const std::pair<const char *, const char *> all[] = {
        {"0::/system.slice/slurmd.service\n", "slurmd.service"},
        {"0::/user.slice/user-1000.slice/user@1000.service/app.slice/x.service\n", "user@1000.service"},
        {"0::/user.slice/user-1000.slice/session-3.scope\n", "session-3.scope"},
        {"12:pids:/system.slice/a.service\n1:name=systemd:/system.slice/b.service\n0::/\n", "b.service"},
        {"0::/init.scope\n", "init.scope"},
        {"0::/docker/0123\n", ""},
        {"", ""}};
    for (const auto &[text, unit] : all) EXPECT_EQ(unit_of_cgroup(text), unit) << text;
}

TEST(Memlock, LimitsLinesOfOthersAreRead)
{
    const auto line = LimitsLine::parse("@rdma\t-  memlock 65536 # enough");
    ASSERT_TRUE(line);
    EXPECT_EQ(line->who + " " + line->value, "@rdma 65536");
    EXPECT_TRUE(LimitsLine::parse("alice soft memlock unlimited\r"));
    EXPECT_TRUE(LimitsLine::parse("alice hard memlock 64"));
    for (const auto *bad : {"", "# @rdma - memlock 1", "a - nofile 1", "a - memlock", "a -"})
        EXPECT_FALSE(LimitsLine::parse(bad)) << bad;
}

TEST(NfsServer, LastFileDecidesThePort)
{
    const auto port = [](std::initializer_list<const char *> files, bool has_name = false) {
        NfsSetting setting;
        for (const auto *f : files) (void)setting.read(std::string("[nfsd]\n") + f);
        return setting.port(has_name).value_or(setting.by_name() ? 1U : 0U);
    };
    EXPECT_EQ(port({}), 0U);
    EXPECT_EQ(port({"rdma=20049"}), 20049U);
    EXPECT_EQ(port({"rdma=Yes"}), 1U) << "a name that nobody knows";
    EXPECT_EQ(port({"rdma=y"}, true), 20049U);
    EXPECT_EQ(port({"rdma=y\nrdma-port=20050"}), 20050U);
    EXPECT_EQ(port({"rdma-port=20050"}), 0U);
    EXPECT_EQ(port({"rdma=20049", "rdma=n"}), 0U) << "the last counts";
    EXPECT_EQ(port({"rdma=99999"}), 0U);
}

TEST(NfsServer, FstabLinesAreParsed)
{
    const auto all = parse_mounts("# comment\n10.0.0.1:/a /mnt/my\\040disk nfs rdma,port=20049,_netdev 0 0\n\n"
                                  "b:/ /b nfs4 rw,proto=rdma,x=\n/dev/sda1 / ext4 rdma\nodd\n");
    ASSERT_EQ(all.size(), 3U);
    EXPECT_EQ(all[0].where, "/mnt/my disk");
    EXPECT_EQ(all[0].value("port"), "20049");
    EXPECT_TRUE(all[0].is_nfs() && all[0].asks_rdma() && all[0].has("_netdev"));
    EXPECT_TRUE(all[1].asks_rdma());
    EXPECT_EQ(all[1].value("po"), "");
    EXPECT_FALSE(all[2].is_nfs());
}

} // namespace
} // namespace nmib
