// SPDX-License-Identifier: LGPL-2.1-or-later
#include "make.hpp"
#include "verbs/port/metrics.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace nmib::cli
{
namespace
{

using testing::HasSubstr;
using testing::Not;

constexpr Metric lamps{"lamps", "Lamps."}, switched{"switched_total", "Times."};

TEST(Metrics, SamplesOfOneMetricAreTogether)
{
    Metrics metrics;
    metrics.add(lamps, {{"place", "hall"}}, 2);
    metrics.add(switched, {}, 18446744073709551615U);
    metrics.add(lamps, {{"place", "attic"}, {"colour", ""}}, 0);
    metrics.add(lamps, {{"place", "hall"}}, 3);
    EXPECT_EQ(metrics.text(), "# HELP nm_ib_lamps Lamps.\n"
                              "# TYPE nm_ib_lamps gauge\n"
                              "nm_ib_lamps{place=\"hall\"} 5\n"
                              "nm_ib_lamps{place=\"attic\"} 0\n"
                              "# HELP nm_ib_switched_total Times.\n"
                              "# TYPE nm_ib_switched_total counter\n"
                              "nm_ib_switched_total 18446744073709551615\n");
}

TEST(Metrics, NoLabelEndsItsLine)
{
    Metrics metrics;
    metrics.add(lamps, {{"place", "a\"} 1\nb\\\xff"}}, 1);
    EXPECT_THAT(metrics.text(), HasSubstr("\nnm_ib_lamps{place=\"a\\\"} 1\\\\x0ab\\\\\\\\xff\"} 1\n"));
}

TEST(Metrics, PortsAndInterfaces)
{
    RdmaPort port{.number = 2};
    port.state = PortState::active;
    port.rate = PortRate{2500, "1X"};
    port.info = Error{Error::Kind::denied, "only root"};
    port.counters = {{"symbol_error", 7}, {"port_xmit_wait", 9}};
    PortNetdev n{.ifindex = 4, .name = test::ifname("ib0.8002")};
    n.mtu = 2044;
    n.pkey = test::pkey(0x8002);
    n.mode = TransportMode::connected;
    port.interfaces = {n};
    RdmaDevice device{.name = "mlx4_0"};
    device.ports = {port};
    Inventory all{.devices = {device}, .has_daemon = true};
    all.states["ib0.8002"] = {.number = 100, .word = "connected", .profile = "the storage"};
    Metrics metrics;
    add(metrics, all);
    const auto text = metrics.text();
    EXPECT_THAT(text, HasSubstr("\nnm_ib_port_up{hca=\"mlx4_0\",port=\"2\"} 1\n"));
    EXPECT_THAT(text, HasSubstr("\nnm_ib_port_rate_bytes_per_second{hca=\"mlx4_0\",port=\"2\"} 312500000\n"));
    EXPECT_THAT(text, HasSubstr("\nnm_ib_port_symbol_error_total{hca=\"mlx4_0\",port=\"2\"} 7\n"));
    EXPECT_THAT(text, HasSubstr("\nnm_ib_interface_activated{interface=\"ib0.8002\",hca=\"mlx4_0\",port=\"2\"} 1\n"));
    EXPECT_THAT(text, HasSubstr("\nnm_ib_interface_info{interface=\"ib0.8002\",hca=\"mlx4_0\",port=\"2\","
                                "p_key=\"0x8002\",profile=\"the storage\"} 1\n"));
    for (const auto *unknown : {"physical_state", "mtu_bytes{hca", "link_downed", "xmit_wait", "sm_lid"})
        EXPECT_THAT(text, Not(HasSubstr(unknown)));
}

} // namespace
} // namespace nmib::cli
