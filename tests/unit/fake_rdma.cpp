// SPDX-License-Identifier: LGPL-2.1-or-later
#include "fake_rdma.hpp"

#include "core/base/text.hpp"
#include "fake_kernel.hpp"
#include "probe/base/netlink.hpp"

#include <cerrno>
#include <filesystem>
#include <functional>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <netlink/attr.h>
#include <rdma/rdma_netlink.h>

namespace nmib
{

namespace test
{

FakeRdma *&the_rdma()
{
    static FakeRdma *rdma = nullptr;
    return rdma;
}

FakeRdma::FakeRdma(const Tree &tree) : tree_(tree)
{
    tree.dir(configfs);
    tree.dir("class/infiniband");
    tree.dir("module/rdma_cm");
    the_rdma() = this;
}

FakeRdma::~FakeRdma() { the_rdma() = nullptr; }

void FakeRdma::add(const std::string &device, const std::string &netdev, const std::string &type)
{
    devices[device] = {.netdev = netdev, .type = type};
    const auto port = "class/infiniband/" + device + "/ports/1/";
    tree_.file("class/infiniband/" + device + "/node_type", type == "siw" ? "4: RNIC\n" : "1: CA\n");
    tree_.file(port + "link_layer", "Ethernet\n");
    tree_.file(port + "state", "4: ACTIVE\n");
    for (const auto *at : {"0", "1"}) {
        tree_.file(port + "gid_attrs/ndevs/" + at, netdev + "\n");
        tree_.file(port + "gid_attrs/types/" + at, *at == '0' ? "IB/RoCE v1\n" : "RoCE v2\n");
    }
}

void FakeRdma::remove(const std::string &device)
{
    devices.erase(device);
    tree_.remove("class/infiniband/" + device);
}

std::string FakeRdma::roce(const std::string &device) const
{
    const auto &d = devices.at(device);
    return d.mode + " " + d.tos;
}

bool FakeRdma::has_folder(const std::string &device) const
{
    return std::filesystem::exists(tree_.path(std::string(configfs) + "/" + device));
}

void FakeRdma::make_folder(const std::string &device)
{
    const auto port = std::string(configfs) + "/" + device + "/ports/1/";
    tree_.file(port + "default_roce_mode", devices.at(device).mode + "\n");
    tree_.file(port + "default_roce_tos", devices.at(device).tos + "\n");
}

void FakeRdma::take_values(const std::string &device)
{
    const auto port = std::string(configfs) + "/" + device + "/ports/1/";
    devices.at(device).mode = trim(tree_.content(port + "default_roce_mode"));
    devices.at(device).tos = trim(tree_.content(port + "default_roce_tos"));
}

int FakeRdma::before(std::string_view call, const std::string &path)
{
    const auto top = tree_.path(configfs) + "/";
    if (!path.starts_with(top)) return pass;
    const auto device = path.substr(top.size(), path.find('/', top.size()) - top.size());
    if (call == "mkdirat") return devices.contains(device) ? pass : ENODEV; // cma_configfs.c, make_cma_dev
    if (call == "write" && !keeps.empty() && path.ends_with(keeps)) return pretend;
    if (call == "write") // a kernel file has only the last value
        std::filesystem::resize_file(path, 0);
    if (call != "rmdirat" || !has_folder(device)) return pass;
    if (devices.contains(device)) take_values(device);
    std::filesystem::remove_all(top + device);
    return pretend;
}

void FakeRdma::after(std::string_view call, const std::string &path)
{
    const auto top = tree_.path(configfs) + "/";
    if (!path.starts_with(top)) return;
    const auto device = path.substr(top.size(), path.find('/', top.size()) - top.size());
    if (call == "mkdirat") make_folder(device);
    if (call == "write") take_values(device);
}

} // namespace test

namespace
{
using test::the_kernel;
using test::the_rdma;

using Answers = std::vector<NetlinkMessage>;

NetlinkMessage answer(int type) { return {::nlmsg_alloc_simple(type, 0), ::nlmsg_free}; }

std::string text(nlmsghdr *request, int type)
{
    const auto *a = ::nlmsg_find_attr(request, 0, type);
    return a ? ::nla_get_string(a) : "";
}

/// A device's index is its place in the map, from 1.
std::string device_at(std::uint32_t index)
{
    for (const auto &[name, device] : the_rdma()->devices)
        if (--index == 0) return name;
    return "";
}

void each_device(int type, Answers &all, const std::function<void(nl_msg *, const test::FakeRdma::Device &)> &add)
{
    std::uint32_t index = 0;
    for (const auto &[name, device] : the_rdma()->devices) {
        auto m = answer(type);
        ::nla_put_u32(m.get(), RDMA_NLDEV_ATTR_DEV_INDEX, ++index);
        ::nla_put_string(m.get(), RDMA_NLDEV_ATTR_DEV_NAME, name.c_str());
        add(m.get(), device);
        all.push_back(std::move(m));
    }
}

void put_users(nl_msg *m, unsigned users)
{
    nlattr *summary = ::nla_nest_start(m, RDMA_NLDEV_ATTR_RES_SUMMARY);
    nlattr *entry = ::nla_nest_start(m, RDMA_NLDEV_ATTR_RES_SUMMARY_ENTRY);
    ::nla_put_string(m, RDMA_NLDEV_ATTR_RES_SUMMARY_ENTRY_NAME, "ctx");
    ::nla_put_u64(m, RDMA_NLDEV_ATTR_RES_SUMMARY_ENTRY_CURR, users);
    ::nla_nest_end(m, entry);
    ::nla_nest_end(m, summary);
}

int add_device(nlmsghdr *request)
{
    auto &rdma = *the_rdma();
    const auto name = text(request, RDMA_NLDEV_ATTR_DEV_NAME), type = text(request, RDMA_NLDEV_ATTR_LINK_TYPE);
    if (rdma.no_add) return rdma.no_add;
    if (rdma.devices.contains(name)) return ENFILE;
    rdma.log.push_back("add " + name);
    rdma.add(name, text(request, RDMA_NLDEV_ATTR_NDEV_NAME), type);
    return 0;
}

int remove_device(nlmsghdr *request)
{
    auto &rdma = *the_rdma();
    const auto *index = ::nlmsg_find_attr(request, 0, RDMA_NLDEV_ATTR_DEV_INDEX);
    const auto name = index ? device_at(::nla_get_u32(index)) : "";
    if (rdma.no_remove) return rdma.no_remove;
    if (name.empty()) return ENODEV;
    rdma.log.push_back("remove " + name);
    rdma.remove(name);
    return 0;
}

NetlinkMessage functions_of_link()
{
    auto m = NetlinkMessage(::nlmsg_alloc_simple(RTM_NEWLINK, 0), ::nlmsg_free);
    const ifinfomsg ifi{};
    ::nlmsg_append(m.get(), const_cast<ifinfomsg *>(&ifi), sizeof(ifi), NLMSG_ALIGNTO);
    nlattr *list = ::nla_nest_start(m.get(), IFLA_VFINFO_LIST);
    for (const auto &[number, now] : the_kernel()->vf_guids) {
        nlattr *info = ::nla_nest_start(m.get(), IFLA_VF_INFO);
        const ifla_vf_mac mac{.vf = number, .mac = {}};
        ::nla_put(m.get(), IFLA_VF_MAC, sizeof(mac), &mac);
        for (const auto &[type, guid] : {std::pair(IFLA_VF_IB_NODE_GUID, now.node), {IFLA_VF_IB_PORT_GUID, now.port}}) {
            const ifla_vf_guid value{.vf = number, .guid = guid.value};
            ::nla_put(m.get(), type, sizeof(value), &value);
        }
        ::nla_nest_end(m.get(), info);
    }
    ::nla_nest_end(m.get(), list);
    return m;
}
} // namespace

NetlinkMessage link_request(int type, int ifindex, unsigned flags, unsigned set)
{
    ifinfomsg ifi{};
    ifi.ifi_index = ifindex;
    ifi.ifi_change = flags;
    ifi.ifi_flags = set;
    return netlink_request(type, 0, ifi);
}

void Netlink::Free::operator()(nl_sock *) const noexcept {}

Result<Netlink> Netlink::open(int)
{
    if (the_rdma() && the_rdma()->no_socket) return sys_error(the_rdma()->no_socket, "netlink socket");
    return Netlink();
}

int Netlink::acknowledged(nl_msg *message)
{
    auto *request = ::nlmsg_hdr(message);
    if (request->nlmsg_type == RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, RDMA_NLDEV_CMD_NEWLINK)) return add_device(request);
    if (request->nlmsg_type == RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, RDMA_NLDEV_CMD_DELLINK)) return remove_device(request);
    return EOPNOTSUPP;
}

int Netlink::send(nl_msg *message, int (*)(nl_sock *), nl_recvmsg_msg_cb_t each, void *to)
{
    if (!the_rdma()) return EPERM;
    if (the_rdma()->no_list) return the_rdma()->no_list;
    Answers answers;
    const int type = ::nlmsg_hdr(message)->nlmsg_type;
    if (type == RTM_GETLINK)
        answers.push_back(functions_of_link());
    else if (type == RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, RDMA_NLDEV_CMD_GET))
        each_device(type, answers, [](nl_msg *, const auto &) {});
    else if (type == RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, RDMA_NLDEV_CMD_RES_GET))
        each_device(type, answers, [](nl_msg *m, const auto &device) { put_users(m, device.users); });
    for (const auto &m : answers) each(m.get(), to);
    return 0;
}

} // namespace nmib
