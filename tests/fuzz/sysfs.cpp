// SPDX-License-Identifier: LGPL-2.1-or-later
// Any bytes as what files of sysfs say: a card, its port and its tables. The input is split at bytes 0xff; the first
// byte of each part chooses the file. Nothing crashes; what is read is one line and in its range, or has its reason.
#include "probe/plan/sysfs.hpp"
#include "probe/port/rdma_devices.hpp"
#include "tree.hpp"

#include <cstdlib>
#include <string_view>

using namespace nmib;

namespace
{
constexpr const char *hca_files[] = {"board_id",
                                     "fw_ver",
                                     "hw_rev",
                                     "node_desc",
                                     "node_guid",
                                     "node_type",
                                     "ports/1/cap_mask",
                                     "ports/1/gid_attrs/ndevs/0",
                                     "ports/1/gid_attrs/types/0",
                                     "ports/1/gids/0",
                                     "ports/1/lid",
                                     "ports/1/lid_mask_count",
                                     "ports/1/link_layer",
                                     "ports/1/phys_state",
                                     "ports/1/pkeys/0",
                                     "ports/1/pkeys/7",
                                     "ports/1/rate",
                                     "ports/1/sm_lid",
                                     "ports/1/sm_sl",
                                     "ports/1/state"};
constexpr const char *pci_files[] = {"vendor",       "device",         "revision",
                                     "sriov_numvfs", "sriov_totalvfs", "current_link_speed"};
constexpr std::size_t hca_count = std::size(hca_files), count = hca_count + std::size(pci_files);

std::string path_of(std::size_t i)
{
    using test::SysTree;
    return i < hca_count ? SysTree::at(SysTree::hca, hca_files[i])
                         : SysTree::at(SysTree::pci, pci_files[i - hca_count]);
}

void require(bool holds)
{
    if (!holds) std::abort();
}

void one_line(const Read<std::string> &value)
{
    if (value) require(!value->empty() && value->find_first_of(std::string_view("\n\0", 2)) == std::string::npos);
}

void read(const Dir &sysfs)
{
    auto devices = read_rdma_devices(sysfs, {});
    require(static_cast<bool>(devices));
    for (auto &device : *devices) {
        read_details(sysfs, device);
        for (const auto *value : {&device.board_id, &device.firmware, &device.hw_rev, &device.description})
            one_line(*value);
        for (auto &port : device.ports) {
            read_details(sysfs, device, port);
            read_counters(sysfs, device, port);
            if (port.lid) require(*port.lid <= 0xffff);
            if (port.lmc) require(*port.lmc <= 7);
            if (port.rate) require(!port.rate->str().empty());
            if (port.pkeys)
                for (const auto &entry : *port.pkeys) require(entry.key.partition() != 0);
        }
    }
}
} // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char *data, std::size_t size)
{
    static const test::SysTree tree;
    static const auto sysfs = Sysfs::open(tree.path());
    require(static_cast<bool>(sysfs));
    std::string_view rest(reinterpret_cast<const char *>(data), size);
    std::vector<std::size_t> written;
    while (!rest.empty() && written.size() < 8) {
        const auto part = rest.substr(0, rest.find('\xff'));
        rest.remove_prefix(std::min(rest.size(), part.size() + 1));
        if (part.empty()) continue;
        const auto file = static_cast<unsigned char>(part[0]) % count;
        tree.file(path_of(file), part.substr(1));
        written.push_back(file);
    }
    read(sysfs->root());
    if (const auto device = sysfs->device(*IfName::parse("ib0"), 4)) require(device->ports.at(0).number == 1);
    if (const auto keys = sysfs->pkeys("mlx4_0", 1))
        for (const auto &entry : *keys) require(entry.key.partition() != 0);
    for (const auto file : written) tree.remove(path_of(file));
    return 0;
}
