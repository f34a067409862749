// SPDX-License-Identifier: LGPL-2.1-or-later
/// eth0 and eth1, eth0 with the RDMA device mlx5_0; profile 'office' (u-1) and profile 'other' (u-2).
#pragma once
#include "dispatch/world.hpp"

namespace nmib::test
{

struct RdmaWorld : DispatchWorld {
    std::string file = ethernet_profile("");

    RdmaWorld()
    {
        link(9, "eth0");
        link(10, "eth1");
        rdma.add("mlx5_0", "eth0");
    }

    void link(int ifindex, const std::string &name)
    {
        kernel.others.push_back({.ifindex = ifindex, .name = ifname(name)});
        tree.file("class/net/" + name + "/ifindex", std::to_string(ifindex) + "\n");
        tree.file("class/net/" + name + "/type", "1\n");
    }
    void gone(int ifindex)
    {
        for (const auto &row : kernel.others)
            if (row.ifindex == ifindex) tree.remove("class/net/" + row.name->str());
        std::erase_if(kernel.others, [=](const LinkRow &row) { return row.ifindex == ifindex; });
    }
    std::string ethernet_profile(const std::string &connection) const
    {
        tree.file("eth.nmconnection", "[connection]\nid=office\ntype=802-3-ethernet\n" + connection, 0600);
        return tree.path("eth.nmconnection");
    }
    Lines on(Event::Action action, std::string_view name = "eth0", const std::string &uuid = "u-1") const
    {
        return handle_rdma({ifname(name), action, uuid, uuid == "u-1" ? "office" : "other", file}, paths);
    }
    Lines on_device(const std::string &device) const { return handle_rdma_device(device, paths); }
    std::string kept(int ifindex) const { return tree.content("run/rdma-" + std::to_string(ifindex)); }
    bool has_kept(int ifindex) const { return *Dir::open(tree.path("run"))->exists("rdma-" + std::to_string(ifindex)); }

    static Lines of(Severity severity, const std::string &text) { return {{severity, text}}; }
    static Lines note(const std::string &text) { return of(Severity::note, text); }
};

} // namespace nmib::test
