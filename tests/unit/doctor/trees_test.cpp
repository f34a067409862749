// SPDX-License-Identifier: LGPL-2.1-or-later
// Healthy machines as other projects have recorded them: doctor finds nothing there. The shapes are made here; whole
// recordings are read from $NMIB_TREES too, if set: a directory with trees that have class/infiniband.
#include "core/doctor/diagnose.hpp"
#include "id.hpp"
#include "probe/port/rdma_devices.hpp"
#include "tree.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

namespace nmib
{
namespace
{

using testing::IsEmpty;

/// The findings about ports and links. Without profiles, no port is wanted.
std::vector<std::string> findings(const std::string &sysfs)
{
    const auto dir = Dir::open(sysfs);
    auto devices = read_rdma_devices(*dir, {});
    EXPECT_TRUE(devices) << sysfs;
    Host host{.has_daemon = false};
    for (auto &device : *devices) {
        read_details(*dir, device);
        for (auto &port : device.ports) {
            read_details(*dir, device, port);
            read_counters(*dir, device, port);
        }
    }
    host.devices = std::move(*devices);
    for (const auto seconds : {0, 3600, 7200}) add(host.counters, take_sample(host.devices, seconds));
    std::vector<std::string> all;
    for (const auto &t : diagnose(host)) all.push_back(std::string(t.kind->id) + " " + t.where);
    return all;
}

struct Shape {
    const char *name, *device;
    unsigned devices, ports;
    const char *layer, *state, *phys_state, *rate, *symbol_error;
};
constexpr Shape shapes[] = {
    {"GPU host with eight NDR cards", "mlx5_", 8, 1, "InfiniBand", "4: ACTIVE", "5: LinkUp", "400 Gb/sec (4X NDR)",
     "0"},
    {"XDR", "mlx5_", 8, 1, "InfiniBand", "4: ACTIVE", "5: LinkUp", "800 Gb/sec (4X XDR)", "0"},
    {"mlx4, two ports", "mlx4_", 1, 2, "InfiniBand", "4: ACTIVE", "5: LinkUp", "40 Gb/sec (4X QDR)", "12"},
    {"Omni-Path, without these counters", "hfi1_", 1, 1, "InfiniBand", "4: ACTIVE", "5: LinkUp", "100 Gb/sec (4X EDR)",
     "N/A (no PMA)"},
    {"ports without cables", "mlx5_", 2, 1, "InfiniBand", "1: DOWN", "2: Polling", "10 Gb/sec (4X)", "0"},
    {"disabled ports", "mlx5_", 2, 1, "InfiniBand", "1: DOWN", "3: Disabled", "2.5 Gb/sec (1X)", "65534"},
    {"one lane of a RoCE card", "mlx5_", 2, 1, "Ethernet", "4: ACTIVE", "5: LinkUp", "25 Gb/sec (1X EDR)", "0"},
};

void make(const test::Tree &tree, const Shape &shape)
{
    for (unsigned d = 0; d < shape.devices; d++) {
        const auto device = shape.device + std::to_string(d), bus = "0000:" + std::to_string(10 + d) + ":00.0";
        const auto at = "devices/pci0000:00/" + bus + "/infiniband/" + device + "/";
        tree.link("class/infiniband/" + device, "../../" + at.substr(0, at.size() - 1));
        tree.link(at + "device", "../../../" + bus);
        tree.file(at + "node_type", "1: CA\n");
        tree.file(at + "fw_ver", "28.39.2048\n");
        for (unsigned p = 1; p <= shape.ports; p++) {
            const auto port = at + "ports/" + std::to_string(p) + "/";
            const bool is_down = shape.state[0] == '1';
            for (const auto &[name, text] : std::initializer_list<std::pair<const char *, std::string>>{
                     {"link_layer", shape.layer},
                     {"state", shape.state},
                     {"phys_state", shape.phys_state},
                     {"rate", shape.rate},
                     {"lid", is_down ? "0xffff" : "0x" + std::to_string(10 * d + p)},
                     {"sm_lid", is_down ? "0x0" : "0x1"},
                     {"cap_mask", "0xa751e848"},
                     {"gids/0", "fe80:0000:0000:0000:a088:c203:00b0:0" + std::to_string(100 + 10 * d + p)},
                     {"pkeys/0", "0xffff"},
                     {"counters/symbol_error", shape.symbol_error},
                     {"counters/link_downed", "3"},
                     {"counters/port_rcv_errors", "0"}})
                tree.file(port + name, text + "\n");
        }
    }
}

TEST(TreesTest, ShapesOfHealthyMachinesHaveNoFindings)
{
    for (const auto &shape : shapes) {
        SCOPED_TRACE(shape.name);
        const test::Tree tree;
        make(tree, shape);
        auto all = findings(tree.path());
        std::erase_if(all, [](const std::string &f) { return f.starts_with("roce-link-local-only"_id); }); // no address
        EXPECT_THAT(all, IsEmpty());
    }
}

TEST(TreesTest, RecordedMachinesHaveNoFindings)
{
    const char *place = std::getenv("NMIB_TREES"); // NOLINT(concurrency-mt-unsafe): one thread
    if (!place) return;
    for (const auto &entry : std::filesystem::directory_iterator(place)) {
        SCOPED_TRACE(entry.path());
        auto all = findings(entry.path());
        // A counter at its end is a true finding: gpud's H100 machine has 255 in link_downed of mlx5_1.
        std::erase_if(all, [](const std::string &f) {
            return f.starts_with("roce-link-local-only"_id) || f.starts_with("counters-full"_id);
        });
        EXPECT_THAT(all, IsEmpty());
    }
}

} // namespace
} // namespace nmib
