// SPDX-License-Identifier: LGPL-2.1-or-later
#include "apply/rdma/vf_guid.hpp"

#include <cerrno>
#include <fcntl.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <netlink/attr.h>
#include <netlink/msg.h>
#include <unistd.h>

namespace nmib
{

namespace
{
Result<void> write_guid(const Dir &sysfs, const SetVfGuid &step)
{
    const auto [folder, name] = split_path(step.file);
    const auto dir = sysfs.sub(folder);
    if (!dir) return dir.error();
    const UniqueFd fd(::openat(dir->fd(), name.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW));
    if (!fd) return sys_error(errno, "/sys/" + step.file);
    auto text = step.to.port.bytes();
    std::erase(text, ':');
    if (::write(fd.get(), text.data(), text.size()) < 0) return sys_error(errno, "/sys/" + step.file);
    return {};
}
} // namespace

Result<void> set_vf_guid(const Dir &sysfs, Rtnl &rtnl, const SetVfGuid &step)
{
    if (!step.file.empty()) return write_guid(sysfs, step);
    const auto where = "GUID of virtual function " + std::to_string(step.vf);
    for (const auto &[type, value] :
         {std::pair(IFLA_VF_IB_NODE_GUID, step.to.node), {IFLA_VF_IB_PORT_GUID, step.to.port}}) {
        ifinfomsg ifi{};
        ifi.ifi_index = step.ifindex;
        const auto m = netlink_request(RTM_SETLINK, 0, ifi);
        ifla_vf_guid guid{};
        guid.vf = step.vf;
        guid.guid = value.value;
        nlattr *list = !m ? nullptr : ::nla_nest_start(m.get(), IFLA_VFINFO_LIST);
        nlattr *info = list ? ::nla_nest_start(m.get(), IFLA_VF_INFO) : nullptr;
        if (!info || ::nla_put(m.get(), type, sizeof(guid), &guid) < 0) return sys_error(ENOMEM, where);
        ::nla_nest_end(m.get(), info);
        ::nla_nest_end(m.get(), list);
        if (auto r = rtnl.acknowledged(m.get(), where); !r) return r;
    }
    return {};
}

} // namespace nmib
