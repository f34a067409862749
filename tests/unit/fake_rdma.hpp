// SPDX-License-Identifier: LGPL-2.1-or-later
/// Replaces netlink sockets if linked before probe/: RDMA netlink reaches a FakeRdma, which keeps sysfs and configfs in
/// a tree. The virtual functions are the FakeKernel's. Written from drivers/infiniband/core/nldev.c and cma_configfs.c.
#pragma once
#include "core/rdma/plan.hpp"
#include "fake_calls.hpp"
#include "tree.hpp"

namespace nmib::test
{

class FakeRdma
{
public:
    explicit FakeRdma(const Tree &tree);
    ~FakeRdma();
    FakeRdma(const FakeRdma &) = delete;
    FakeRdma &operator=(const FakeRdma &) = delete;

    /// A device on an Ethernet interface: RoCE v1 and v2, with rdma_cm's defaults.
    void add(const std::string &device, const std::string &netdev, const std::string &type = "");
    void remove(const std::string &device);
    /// Returns mode and ToS in rdma_cm: "RoCE v2 0".
    std::string roce(const std::string &device) const;
    bool has_folder(const std::string &device) const;
    /// Makes the folder that a killed program leaves behind.
    void leave_folder(const std::string &device) { make_folder(device); }
    /// For FakeCalls: configfs makes and removes the files of a folder with the folder.
    int before(std::string_view call, const std::string &path);
    void after(std::string_view call, const std::string &path);

    static constexpr const char *configfs = "config/rdma_cm";

    struct Device {
        std::string netdev{}, type{}, mode = "RoCE v2", tos = "0";
        unsigned users = 0;
    };
    std::map<std::string, Device> devices{};
    std::vector<std::string> log{};                            ///< "add rxe_eth0", "remove rxe_eth0"
    int no_socket = 0, no_add = 0, no_remove = 0, no_list = 0; ///< errno
    std::string keeps{};                                       ///< a file of configfs that is written without effect

private:
    void make_folder(const std::string &device);
    void take_values(const std::string &device);

    const Tree &tree_;
};

/// The current instance; null between tests.
FakeRdma *&the_rdma();

} // namespace nmib::test
