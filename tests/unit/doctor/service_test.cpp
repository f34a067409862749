// SPDX-License-Identifier: LGPL-2.1-or-later
/// Diagnoses of services, limits and the kernel's log.
#include "host.hpp"
#include "id.hpp"

#include <set>

namespace nmib
{
namespace
{

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct DiagnoseServiceTest : DiagnoseHostTest {
};

TEST_F(DiagnoseServiceTest, PluginAndDispatcherProblemsAreReported)
{
    auto &s = host.services;
    s.plugin_installed = true;
    s.plugin_loaded = false;
    EXPECT_THAT(ids(), ElementsAre("plugin-not-loaded"_id));
    s.plugin_loaded = s.plugin_replaced = true;
    EXPECT_THAT(ids(), ElementsAre("plugin-older"_id));
    s.plugin_replaced = false;
    s.refused_dispatcher = "/usr/lib/x";
    EXPECT_THAT(ids(), ElementsAre("dispatcher-refused"_id));
    s.refused_dispatcher.clear(), s.missing_dispatcher = "/usr/lib/x";
    ASSERT_THAT(ids(), ElementsAre("dispatcher-missing"_id));
    EXPECT_THAT(mend(only()), testing::Not(HasSubstr("chmod")));
}

TEST_F(DiagnoseServiceTest, SelinuxLabelAndDenialAreReported)
{
    auto &s = host.services;
    s.mislabelled = {{"/usr/lib/NetworkManager/dispatcher.d/10-nm-ib", "user_tmp_t"}};
    ASSERT_THAT(ids(), ElementsAre("selinux-label"_id));
    EXPECT_EQ(mend(only()), "restorecon -RF /usr/lib/NetworkManager/dispatcher.d/10-nm-ib");
    EXPECT_EQ(mended_by(only()), Trouble::By::fix);
    s.mislabelled.clear();
    s.log = {{1, R"(audit: type=1400: avc:  denied  { read } for comm="chronyd" name="type")"}};
    EXPECT_THAT(ids(), IsEmpty());
    s.log.push_back({2, R"(audit: type=1400: avc:  denied  { read } for comm="nm-ib-dispatche" name="type")"});
    EXPECT_THAT(ids(), ElementsAre("selinux-denied"_id));
}

TEST_F(DiagnoseServiceTest, StoppedNetworkManagerIsReported)
{
    host.has_daemon = false;
    EXPECT_THAT(ids(), IsEmpty()) << "this machine does not use it";
    host.services.daemon_stopped = true;
    ASSERT_THAT(ids(), ElementsAre("networkmanager-stopped"_id));
    EXPECT_EQ(only().severity, Severity::error);
    EXPECT_EQ(text(commands(only()).at(1)), "systemctl start NetworkManager");
}

TEST_F(DiagnoseServiceTest, TwoManagersOfAnInterfaceAreReported)
{
    auto &s = host.services;
    s.networkd = {"ib0"};
    EXPECT_THAT(ids(), IsEmpty()); // not managed by NetworkManager
    s.managed = {"ib0"};
    EXPECT_THAT(ids(), ElementsAre("two-managers"_id));
    s.networkd.clear();
    s.openibd = true;
    EXPECT_THAT(ids(), ElementsAre("openibd-too"_id));
}

TEST_F(DiagnoseServiceTest, FailedUnitsAreReported)
{
    for (const auto *unit :
         {"lnet.service", "opensm@0x0002c90300000001.service", "opafm.service", "srp_daemon_port@mlx5_0:1.service"}) {
        host.services.failed_units = {unit};
        ASSERT_THAT(ids(), ElementsAre("unit-failed"_id)) << unit;
    }
    EXPECT_EQ(text(commands(only()).at(1)), "systemctl restart srp_daemon_port@mlx5_0:1.service");
}

TEST_F(DiagnoseServiceTest, WaitOnlineBeforeTheCarrierIsReported)
{
    profile();
    host.services.wait_online_end = 9'000'000U;
    log("IPv6: ADDRCONF(NETDEV_CHANGE): ib1: link becomes ready");
    host.services.log.push_back({40'000'000, "IPv6: ADDRCONF(NETDEV_CHANGE): ib0: link becomes ready"});
    ASSERT_THAT(ids(), ElementsAre("wait-online-early"_id));
    EXPECT_THAT(seen(only()), HasSubstr("31 s before ib0"));
    host.profiles[0].autoconnect = false;
    EXPECT_THAT(ids(), IsEmpty()) << "not at boot";
    host.profiles[0].autoconnect = true;
    host.services.log.insert(host.services.log.begin(),
                             {8'000'000, "IPv6: ADDRCONF(NETDEV_CHANGE): ib0: link becomes ready"});
    EXPECT_THAT(ids(), IsEmpty()); // the later carrier is a flap
}

TEST_F(DiagnoseServiceTest, SmallMemlockIsReported)
{
    host.services.limits = {{"slurmd", 77, 8U << 20}, {"good", 78, 1ULL << 40}};
    ASSERT_THAT(ids(), ElementsAre("memlock-small"_id));
    EXPECT_EQ(seen(only()), "slurmd (process 77) may lock 8192 KiB of memory");
    host.services.limits[0].unit = "slurmd.service";
    EXPECT_EQ(seen(only()), "slurmd (process 77, slurmd.service) may lock 8192 KiB of memory");
    EXPECT_EQ(text(commands(only()).at(0)), "systemctl edit slurmd.service");
    host.services.limits[0].unit = "user@1000.service";
    EXPECT_EQ(text(commands(only()).at(0)), "nm-ib host memlock @rdma unlimited");
}

TEST_F(DiagnoseServiceTest, NfsServerThatDoesNotListenIsReported)
{
    auto &nfs = host.services.nfs_server;
    nfs.files = {{.path = "/etc/nfs.conf.d/x.conf", .words = "rdma=20049"}};
    nfs.wanted = {20049};
    EXPECT_THAT(ids(), IsEmpty()) << "it does not run";
    nfs.runs = true;
    ASSERT_THAT(ids(), ElementsAre("nfs-rdma-not-listening"_id));
    EXPECT_THAT(seen(only()), HasSubstr("/etc/nfs.conf.d/x.conf: rdma=20049"));
    EXPECT_EQ(text(commands(only()).at(0)), "systemctl restart nfs-server") << "the port of the file stays";
    nfs.listeners = {20049};
    EXPECT_THAT(ids(), IsEmpty());
    nfs.wanted.clear(), nfs.listeners.clear(), nfs.name_unknown = true;
    ASSERT_THAT(ids(), ElementsAre("nfs-rdma-not-listening"_id)) << "rdma=y without the name";
    EXPECT_EQ(text(commands(only()).at(0)), "nfsconf --file /etc/nfs.conf.d/x.conf --set nfsd rdma 20049");
    nfs.name_unknown = false;
    EXPECT_THAT(ids(), IsEmpty()) << "rdma=n";
}

TEST_F(DiagnoseServiceTest, NfsMountsWithoutRdmaAreReported)
{
    host.services.nfs_mounts = {{.what = "s:/a", .where = "/a", .in_fstab = true}};
    EXPECT_THAT(ids(), ElementsAre("nfs-rdma-not-mounted"_id));
    host.services.nfs_mounts[0].mounted = true;
    EXPECT_THAT(ids(), ElementsAre("nfs-rdma-over-tcp"_id));
    host.services.nfs_mounts[0].over_rdma = true;
    EXPECT_THAT(ids(), IsEmpty());
    host.services.nfs_mounts = {{.what = "s:/a", .where = "/a", .in_fstab = true, .automatic = false}};
    EXPECT_THAT(ids(), IsEmpty()) << "noauto";
    host.services.nfs_mounts[0].automatic = true;
    host.devices.clear();
    host.profiles.clear();
    ASSERT_THAT(ids(), ElementsAre("nfs-rdma-no-device"_id));
    EXPECT_THAT(mend(only()), HasSubstr("rdma.soft-rdma"));
    host.services.nfs_mounts.clear();
    log("rpcrdma: 'frwr' mode is not supported by device mlx4_0");
    EXPECT_THAT(ids(), ElementsAre("nfs-rdma-no-registration"_id));
}

TEST_F(DiagnoseServiceTest, InactiveSrpDaemonIsReported)
{
    EXPECT_THAT(ids(), IsEmpty()) << "not set up";
    host.services.srp_daemon = true;
    for (auto &device : host.devices)
        for (auto &p : device.ports) host.services.srp_daemons[device.name + ":" + std::to_string(p.number)] = "active";
    EXPECT_THAT(ids(), IsEmpty());
    host.services.srp_daemons.clear();
    ASSERT_THAT(ids(), ElementsAre("srp-daemon-inactive"_id));
    EXPECT_THAT(seen(only()), HasSubstr("(inactive)"));
    auto &daemon = host.services.srp_daemons[host.devices[0].name + ":" + std::to_string(port->number)];
    daemon = "inactive";
    EXPECT_THAT(ids(), ElementsAre("srp-daemon-inactive"_id));
    daemon = "failed"; // reported as unit-failed
    EXPECT_THAT(ids(), IsEmpty());
}

TEST_F(DiagnoseServiceTest, KernelLogLinesAreReported)
{
    const std::pair<const char *, const char *> all[] = {
        {"nv_peer_mem: disagrees about version of symbol ib_register_peer_memory_client", "modules-of-two-stacks"_id},
        {"Lockdown: modprobe: unsigned module loading is restricted; see man kernel_lockdown.7",
         "module-not-signed"_id},
        {"rpcrdma: local length error on receive", "nfs-rdma-length"_id}};
    host.unbound_functions = {{"0000:07:00.0", "mlx5_core"}}; // a refused module may be its driver
    for (const auto &[line, id] : all) {
        host.services.log.clear();
        log(line), log(line);
        ASSERT_THAT(ids(), ElementsAre("no-driver"_id, id)); // only once
        EXPECT_THAT(seen(diagnose(host).at(1)), HasSubstr(line));
    }
}

TEST_F(DiagnoseServiceTest, FixHasOnlySafeCommands)
{
    std::set<std::string_view> mended;
    for (const auto *kind : trouble_kinds())
        if (kind->by == Trouble::By::fix) mended.insert(kind->id);
    EXPECT_THAT(mended, testing::UnorderedElementsAre(
                            "no-ipoib-module"_id, "no-umad-module"_id, "no-uverbs-module"_id, "no-ucm-module"_id,
                            "keyfile-permissions"_id, "keyfile-not-loaded"_id, "dispatcher-refused"_id,
                            "selinux-label"_id, "pkey-looks-decimal"_id, "connected-impossible"_id, "same-subnet"_id));
}

} // namespace
} // namespace nmib
