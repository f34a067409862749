// SPDX-License-Identifier: LGPL-2.1-or-later
#include "make.hpp"
#include "probe/port/rdma_devices.hpp"
#include "spoil.hpp"
#include "tree.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <csignal>
#include <thread>
#include <unistd.h>

namespace nmib
{
namespace
{

using testing::ElementsAre;
using testing::IsEmpty;

/// A card with two ports and a virtual function, a RoCE card, an iWARP card and Soft-RoCE, as in Linux 6.1.
class Rdma : public test::Tree
{
public:
    static constexpr const char *card = "devices/pci0000:00/0000:05:00.0/",
                                *hca = "devices/pci0000:00/0000:05:00.0/infiniband/mlx5_0/";

    Rdma()
    {
        device(card, "mlx5_0", "1: CA");
        for (const auto &[file_name, text] :
             std::initializer_list<std::pair<const char *, const char *>>{{"vendor", "0x15b3\n"},
                                                                          {"device", "0x1017\n"},
                                                                          {"current_link_speed", "8.0 GT/s PCIe\n"},
                                                                          {"current_link_width", "8\n"},
                                                                          {"max_link_speed", "16.0 GT/s PCIe\n"},
                                                                          {"max_link_width", "16\n"},
                                                                          {"sriov_numvfs", "1\n"},
                                                                          {"sriov_totalvfs", "8\n"}})
            file(std::string(card) + file_name, text);
        for (const auto &[file_name, text] :
             std::initializer_list<std::pair<const char *, const char *>>{{"hca_type", "MT4119\n"},
                                                                          {"board_id", "MT_0000000010\n"},
                                                                          {"fw_ver", "16.35.2000\n"},
                                                                          {"hw_rev", "0\n"},
                                                                          {"node_desc", "node1 HCA-1\n"},
                                                                          {"node_guid", "0002:c903:000a:0000\n"},
                                                                          {"sys_image_guid", "0002:c903:000a:0003\n"}})
            file(std::string(hca) + file_name, text);
        port(hca, 1, "InfiniBand", "4: ACTIVE\n", "5: LinkUp\n", "100 Gb/sec (4X EDR)\n", "0002:c903:000a:0001");
        port(hca, 2, "InfiniBand", "1: DOWN\n", "2: Polling\n", "2.5 Gb/sec (1X)\n", "0002:c903:000a:0002");
        interface(card, "ib0", 0);
        interface(card, "ib1", 1);
        // its virtual function
        const std::string vf = "devices/pci0000:00/0000:05:00.1/";
        device(vf, "mlx5_1", "1: CA");
        link(vf + "physfn", "../0000:05:00.0");
        link(std::string(card) + "virtfn0", "../0000:05:00.1");
        port(vf + "infiniband/mlx5_1/", 1, "InfiniBand", "1: DOWN\n", "3: Disabled\n", "10 Gb/sec (4X)\n",
             "0000:0000:0000:0000");
        // RoCE, iWARP, Soft-RoCE
        const std::string roce = "devices/pci0000:00/0000:06:00.0/", iwarp = "devices/pci0000:00/0000:07:00.0/",
                          soft = "devices/virtual/";
        device(roce, "mlx5_2", "1: CA");
        port(roce + "infiniband/mlx5_2/", 1, "Ethernet", "4: ACTIVE\n", "5: LinkUp\n", "25 Gb/sec (1X EDR)\n",
             "526b:4bff:fe4f:be41");
        file(roce + "infiniband/mlx5_2/ports/1/gid_attrs/ndevs/0", "eth0\n");
        file(roce + "infiniband/mlx5_2/ports/1/gid_attrs/types/0", "RoCE v2\n");
        device(iwarp, "irdma0", "4: RNIC");
        port(iwarp + "infiniband/irdma0/", 1, "Ethernet", "4: ACTIVE\n", "5: LinkUp\n", "100 Gb/sec (4X EDR)\n",
             "526b:4bff:fe4f:be42");
        file(soft + "infiniband/rxe_eth0/node_type", "1: CA\n");
        file(soft + "infiniband/rxe_eth0/parent", "eth1\n");
        link("class/infiniband/rxe_eth0", "../../devices/virtual/infiniband/rxe_eth0");
        port(soft + "infiniband/rxe_eth0/", 1, "Ethernet", "4: ACTIVE\n", "5: LinkUp\n", "2.5 Gb/sec (1X)\n",
             "526b:4bff:fe4f:be43");
    }

    /// The rows of a dump of interfaces.
    static std::vector<LinkRow> links()
    {
        const auto row = [](int ifindex, const char *name, bool infiniband, int parent = 0) {
            LinkRow r{.ifindex = ifindex, .name = test::ifname(name), .infiniband = infiniband, .parent = parent};
            r.mtu = 2044;
            return r;
        };
        return {row(4, "ib0", true),   row(5, "ib1", true),   row(6, "ib0.8002", true, 4),
                row(7, "eth0", false), row(8, "eth1", false), row(9, "ib9", true)};
    }

    void device(const std::string &at, const std::string &name, const std::string &type) const
    {
        const auto bus = at.substr(at.rfind('/', at.size() - 2) + 1);
        dir("bus/pci/drivers/mlx5_core");
        link(at + "driver", "../../../bus/pci/drivers/mlx5_core");
        file(at + "infiniband/" + name + "/node_type", type + "\n");
        link(at + "infiniband/" + name + "/device", "../../../" + bus.substr(0, bus.size() - 1));
        link("class/infiniband/" + name, "../../" + at + "infiniband/" + name);
    }
    void port(const std::string &device, unsigned number, const char *layer, const char *state, const char *phys,
              const char *rate, const std::string &guid) const
    {
        const auto p = device + "ports/" + std::to_string(number) + "/";
        for (const auto &[name, text] : std::initializer_list<std::pair<const char *, std::string>>{
                 {"link_layer", std::string(layer) + "\n"},
                 {"state", state},
                 {"phys_state", phys},
                 {"rate", rate},
                 {"lid", "0x3\n"},
                 {"lid_mask_count", "0\n"},
                 {"sm_lid", "0x1\n"},
                 {"sm_sl", "0\n"},
                 {"cap_mask", "0x0251086a\n"},
                 {"gids/0", "fe80:0000:0000:0000:" + guid + "\n"},
                 {"gids/1", "0000:0000:0000:0000:0000:0000:0000:0000\n"},
                 {"pkeys/0", "0xffff\n"},
                 {"pkeys/1", "0x0000\n"},
                 {"pkeys/7", "0x0002\n"}})
            file(p + name, text);
    }

private:
    void interface(const std::string &at, const std::string &name, unsigned dev_port) const
    {
        file(at + "net/" + name + "/dev_port", std::to_string(dev_port) + "\n");
        link("class/net/" + name, "../../" + at + "net/" + name);
    }
};

struct RdmaDevicesTest : testing::Test {
    void SetUp() override
    {
        std::signal(SIGALRM, SIG_DFL);
        ::alarm(100); // reports a hang as a failure
    }
    void TearDown() override { ::alarm(0); }

    static std::vector<RdmaDevice> read(const test::Tree &tree)
    {
        const auto sysfs = Dir::open(tree.path());
        auto all = read_rdma_devices(*sysfs, Rdma::links());
        if (!all) return {};
        for (auto &device : *all) {
            read_details(*sysfs, device);
            for (auto &port : device.ports) {
                read_details(*sysfs, device, port);
                read_counters(*sysfs, device, port);
            }
        }
        return std::move(*all);
    }
    static std::vector<std::string> names(const RdmaPort &port)
    {
        std::vector<std::string> all;
        for (const auto &n : port.interfaces) all.push_back(n.name.str());
        return all;
    }
};

TEST_F(RdmaDevicesTest, ErrorCountersAreReadWhereThereAreAny)
{
    const Rdma tree;
    const std::string port = std::string(Rdma::hca) + "ports/1/";
    tree.file(port + "counters/symbol_error", "65535\n");
    tree.file(port + "counters/link_downed", "N/A (no PMA)\n");
    tree.file(port + "counters/link_error_recovery", "18446744073709551615\n");
    tree.file(port + "hw_counters/port_rcv_errors", "3\n");
    const std::map<std::string, std::uint64_t> expected{
        {"symbol_error", 65535}, {"link_error_recovery", UINT64_MAX}, {"port_rcv_errors", 3}};
    EXPECT_EQ(read(tree)[1].ports[0].counters, expected);
}

TEST_F(RdmaDevicesTest, PciPathEndsAtTheRoot)
{
    const Rdma tree;
    const std::string bridge = "devices/pci0000:00/0000:00:01.0/", card = bridge + "0000:08:00.0/";
    tree.device(card, "mlx5_8", "1: CA");
    tree.port(card + "infiniband/mlx5_8/", 1, "InfiniBand", "4: ACTIVE\n", "5: LinkUp\n", "400 Gb/sec (4X NDR)\n",
              "0002:c903:000a:0008");
    for (const auto &at : {bridge, card}) {
        tree.file(at + "current_link_speed", "8.0 GT/s PCIe\n");
        tree.file(at + "current_link_width", "4\n");
        tree.file(at + "max_link_speed", "32.0 GT/s PCIe\n");
        tree.file(at + "max_link_width", "16\n");
    }
    const auto all = read(tree);
    const auto found = std::find_if(all.begin(), all.end(), [](const RdmaDevice &d) { return d.name == "mlx5_8"; });
    ASSERT_NE(found, all.end());
    ASSERT_EQ(found->pci_path.size(), 2U);
    EXPECT_EQ(found->pci_path[0].address, "0000:08:00.0");
    EXPECT_EQ(found->pci_path[1].address, "0000:00:01.0");
    EXPECT_EQ(found->pci_path[0].current.str(), "8 GT/s x4 (31 Gbit/s)");
    EXPECT_EQ(found->pci_path[1].maximum.str(), "32 GT/s x16 (504 Gbit/s)");
}

TEST_F(RdmaDevicesTest, PlanesOfACardAreNoPorts)
{
    const Rdma tree;
    const std::string smi = "devices/pci0000:00/0000:05:00.0/", device = smi + "infiniband/smi_0/";
    tree.device(smi, "smi_0", "1: CA");
    tree.file(device + "sys_image_guid", "0002:c903:000a:0003\n");
    for (const auto plane : {1U, 2U, 3U, 4U})
        tree.port(device, plane, "InfiniBand", "4: ACTIVE\n", "5: LinkUp\n", "200 Gb/sec (1X XDR)\n",
                  "0002:c903:000a:0001");
    EXPECT_EQ(read(tree).size(), 6U) << "no capability mask marks the card";
    tree.file(std::string(Rdma::hca) + "ports/1/cap_mask", "0x02510c6a\n"); // IsSMdisabled
    const auto all = read(tree);
    ASSERT_EQ(all.size(), 5U);
    EXPECT_EQ(all[1].name, "mlx5_0");
    EXPECT_EQ(all[1].smi, "smi_0");
    EXPECT_EQ(all[1].planes, 4U);
}

TEST_F(RdmaDevicesTest, NvswitchManagementIsRecognized)
{
    const Rdma tree;
    tree.file(std::string(Rdma::card) + "device", "0x1021\n");
    tree.file(std::string(Rdma::card) + "vpd", std::string_view("\x82\0VA MLX:SMDL=SW_MNG;\0\x78", 22));
    tree.file(std::string(Rdma::hca) + "ports/1/counters/symbol_error", "1\n");
    auto all = read(tree);
    EXPECT_TRUE(all[1].is_fabric_managed);
    EXPECT_TRUE(all[1].ports[0].counters.empty()) << "reading them makes the driver log errors";
    tree.file(std::string(Rdma::card) + "vpd", "MLX:SMDL=CX7");
    EXPECT_FALSE(read(tree)[1].is_fabric_managed);
}

TEST_F(RdmaDevicesTest, CardWithTwoPortsIsRead)
{
    const Rdma tree;
    const auto all = read(tree);
    ASSERT_EQ(all.size(), 5U);
    const auto &d = all[1];
    EXPECT_EQ(d.name, "mlx5_0");
    EXPECT_EQ(d.driver, "mlx5_core");
    EXPECT_EQ(d.bus, "0000:05:00.0");
    EXPECT_EQ(d.pci_id->str(), "15b3:1017");
    EXPECT_EQ(*d.pci_speed, "8.0 GT/s PCIe");
    EXPECT_EQ(*d.pci_max_width, "16");
    EXPECT_EQ(*d.board_id, "MT_0000000010");
    EXPECT_EQ(*d.firmware, "16.35.2000");
    EXPECT_EQ(*d.description, "node1 HCA-1");
    EXPECT_EQ(d.node_guid->value, 0x0002c903000a0000U);
    EXPECT_EQ(*d.vfs, 1U);
    EXPECT_EQ(*d.max_vfs, 8U);
    EXPECT_FALSE(d.physical_function);
    EXPECT_FALSE(d.physical_function.failed());
    ASSERT_EQ(d.functions.size(), 1U);
    EXPECT_EQ(d.functions[0].bus, "0000:05:00.1");
    EXPECT_EQ(d.functions[0].device, "mlx5_1");
    ASSERT_EQ(d.ports.size(), 2U);
    const auto &p = d.ports[0];
    EXPECT_EQ(*p.layer, LinkLayer::infiniband);
    EXPECT_EQ(*p.state, PortState::active);
    EXPECT_EQ(*p.phys_state, PhysState::link_up);
    EXPECT_EQ(p.rate->str(), "100 Gb/s 4X EDR");
    EXPECT_EQ(p.rate->mbps, 100'000U);
    EXPECT_EQ(*p.lid, 3U);
    EXPECT_EQ(*p.sm_lid, 1U);
    EXPECT_TRUE(p.has_sm());
    EXPECT_EQ(p.guid->value, 0x0002c903000a0001U);
    ASSERT_EQ(p.pkeys->size(), 2U);
    EXPECT_EQ((*p.pkeys)[1].index, 7U);
    EXPECT_EQ((*p.pkeys)[1].key, test::pkey(2));
    EXPECT_EQ(p.gids->size(), 1U);
    EXPECT_THAT(names(p), ElementsAre("ib0", "ib0.8002"));
    EXPECT_EQ(p.interfaces[1].parent, 4);
    EXPECT_EQ(*d.ports[1].state, PortState::down);
    EXPECT_EQ(*d.ports[1].phys_state, PhysState::polling);
    EXPECT_EQ(d.ports[1].rate->str(), "2.5 Gb/s 1X");
    EXPECT_THAT(names(d.ports[1]), ElementsAre("ib1"));
}

TEST_F(RdmaDevicesTest, VirtualFunctionWithoutAGuidIsRead)
{
    const Rdma tree;
    const auto vf = read(tree)[2];
    EXPECT_EQ(vf.name, "mlx5_1");
    EXPECT_EQ(*vf.physical_function, "0000:05:00.0");
    EXPECT_EQ(vf.ports[0].guid->value, 0U);
    EXPECT_EQ(*vf.ports[0].phys_state, PhysState::disabled);
    EXPECT_THAT(vf.ports[0].interfaces, IsEmpty());
}

TEST_F(RdmaDevicesTest, EthernetPortsHaveNoLid)
{
    const Rdma tree;
    const auto all = read(tree);
    EXPECT_EQ(*all[0].ports[0].layer, LinkLayer::iwarp);
    EXPECT_FALSE(all[0].ports[0].lid);
    EXPECT_FALSE(all[0].ports[0].lid.failed());
    EXPECT_EQ(*all[3].ports[0].layer, LinkLayer::roce);
    EXPECT_THAT(names(all[3].ports[0]), ElementsAre("eth0"));
    EXPECT_FALSE(all[3].ports[0].interfaces[0].infiniband);
    ASSERT_EQ(all[3].ports[0].gids->size(), 1U);
    EXPECT_EQ((*all[3].ports[0].gids)[0].type, "RoCE v2");
    EXPECT_EQ((*all[3].ports[0].gids)[0].interface, "eth0");
    EXPECT_EQ(all[4].name, "rxe_eth0");
    EXPECT_EQ(all[4].bus, "");
    EXPECT_THAT(names(all[4].ports[0]), ElementsAre("eth1"));
}

TEST_F(RdmaDevicesTest, MissingTreeHasNoDevices)
{
    const test::Tree tree;
    EXPECT_THAT(read(tree), IsEmpty());
}

TEST_F(RdmaDevicesTest, RateIsParsedInTheKernelFormat)
{
    EXPECT_EQ(PortRate::parse("40 Gb/sec (4X QDR)\n")->str(), "40 Gb/s 4X QDR");
    EXPECT_EQ(PortRate::parse("2.5 Gb/sec")->str(), "2.5 Gb/s");
    EXPECT_EQ(PortRate::parse("1600 Gb/sec (8X XDR)")->mbps, 1'600'000U);
    for (const auto *text :
         {"", "40", "Gb/sec", "x Gb/sec", "-1 Gb/sec", "1.25 Gb/sec", "1. Gb/sec", "99999999 Gb/sec"})
        EXPECT_FALSE(PortRate::parse(text)) << text;
}

/// Each value equals the valid tree's, is absent with a reason, or does not exist.
TEST_F(RdmaDevicesTest, SpoiltFileGivesTheGoodValueOrAReason)
{
    const std::string card = Rdma::card, hca = Rdma::hca, port = hca + "ports/1/",
                      roce = "class/infiniband/mlx5_2/ports/1/";
    const std::vector<std::string> victims = {port + "link_layer",
                                              port + "state",
                                              port + "phys_state",
                                              port + "rate",
                                              port + "lid",
                                              port + "sm_lid",
                                              port + "cap_mask",
                                              port + "gids/0",
                                              port + "gids",
                                              port + "pkeys",
                                              port + "pkeys/7",
                                              port + "pkeys/99",
                                              hca + "ports",
                                              hca + "ports/1",
                                              hca + "node_guid",
                                              hca + "node_desc",
                                              hca + "fw_ver",
                                              hca + "device",
                                              card + "vendor",
                                              card + "driver",
                                              card + "virtfn0",
                                              card + "sriov_numvfs",
                                              card + "net",
                                              card + "net/ib0/dev_port",
                                              "class/infiniband/mlx5_0",
                                              "class/infiniband",
                                              roce + "gid_attrs",
                                              roce + "gid_attrs/ndevs/0",
                                              roce + "gid_attrs/types/0"};
    std::size_t trees = 0;
    for (const auto &victim : victims)
        for (const auto &spoil : test::spoils) {
            SCOPED_TRACE(victim + ": " + spoil.name);
            const Rdma tree;
            spoil.apply(tree, victim);
            trees++;
            for (const auto &d : read(tree))
                for (const auto &p : d.ports) {
                    EXPECT_TRUE(p.state || !p.state.error().what.empty());
                    EXPECT_TRUE(p.layer || !p.layer.error().what.empty());
                    if (d.name != "mlx5_0" || p.number != 1) continue;
                    if (p.layer) {
                        EXPECT_EQ(*p.layer, LinkLayer::infiniband);
                    }
                    if (p.state && victim != port + "state") {
                        EXPECT_EQ(*p.state, PortState::active);
                    }
                    if (p.guid) {
                        EXPECT_EQ(p.guid->value, 0x0002c903000a0001U);
                    }
                    if (p.layer && !p.guid) {
                        EXPECT_TRUE(p.guid.failed());
                    }
                    if (p.rate) {
                        EXPECT_EQ(p.rate->mbps, 100'000U);
                    }
                }
        }
    EXPECT_GE(trees, 500U);
}

/// A driver is unloaded during the reading.
TEST_F(RdmaDevicesTest, DevicesThatDisappearDuringTheReadAreHarmless)
{
    const Rdma tree;
    std::atomic<bool> done = false;
    std::thread other([&] {
        while (!done) {
            tree.remove(std::string(Rdma::hca) + "ports/1");
            tree.remove("class/infiniband/mlx5_2");
            tree.file(std::string(Rdma::hca) + "ports/1/state", "4: ACTIVE\n");
            tree.link("class/infiniband/mlx5_2", "../../devices/pci0000:00/0000:06:00.0/infiniband/mlx5_2");
        }
    });
    for (int i = 0; i < 300; i++)
        for (const auto &d : read(tree)) EXPECT_FALSE(d.name.empty());
    done = true;
    other.join();
}

/// A P_Key table may have gaps, and as many entries as there are keys.
TEST_F(RdmaDevicesTest, LargePKeyTableIsReadWithGaps)
{
    const Rdma tree;
    for (int i = 0; i < 65536; i += 257)
        tree.file(std::string(Rdma::hca) + "ports/1/pkeys/" + std::to_string(i), "0x8001\n");
    const auto all = read(tree);
    EXPECT_EQ(all[1].ports[0].pkeys->size(), 257U); // index 7 was added, index 0 was replaced
    EXPECT_EQ(all[1].ports[0].pkeys->back().index, 65535U);
}

} // namespace
} // namespace nmib
