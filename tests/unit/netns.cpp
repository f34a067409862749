// SPDX-License-Identifier: LGPL-2.1-or-later
#include "netns.hpp"

#include <fcntl.h>
#include <linux/if_arp.h>
#include <linux/if_link.h>
#include <linux/if_tun.h>
#include <linux/rtnetlink.h>
#include <netlink/attr.h>
#include <netlink/msg.h>
#include <sched.h>
#include <sys/ioctl.h>

namespace nmib::test
{

void NetNs::SetUp()
{
    if (::geteuid() != 0) GTEST_SKIP() << "needs root";
    before_ = UniqueFd(::open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC));
    ASSERT_TRUE(before_);
    ASSERT_EQ(::unshare(CLONE_NEWNET), 0);
}

void NetNs::TearDown()
{
    if (before_) {
        EXPECT_EQ(::setns(before_.get(), CLONE_NEWNET), 0);
    }
}

int NetNs::add(const std::string &name, const std::string &kind)
{
    const std::unique_ptr<nl_msg, void (*)(nl_msg *)> m(::nlmsg_alloc_simple(RTM_NEWLINK, NLM_F_CREATE | NLM_F_EXCL),
                                                        ::nlmsg_free);
    ifinfomsg ifi{};
    ::nlmsg_append(m.get(), &ifi, sizeof(ifi), NLMSG_ALIGNTO);
    ::nla_put_string(m.get(), IFLA_IFNAME, name.c_str());
    nlattr *info = ::nla_nest_start(m.get(), IFLA_LINKINFO);
    ::nla_put_string(m.get(), IFLA_INFO_KIND, kind.c_str());
    ::nla_nest_end(m.get(), info);
    auto rtnl = Rtnl::open();
    return rtnl && rtnl->acknowledged(m.get(), name) ? rtnl->link(IfName::parse(name).value())->ifindex : 0;
}

UniqueFd NetNs::add_infiniband_tun(const std::string &name)
{
    UniqueFd fd(::open("/dev/net/tun", O_RDWR | O_CLOEXEC));
    ifreq request{};
    name.copy(request.ifr_name, IFNAMSIZ - 1);
    request.ifr_flags = IFF_TUN | IFF_NO_PI;
    if (!fd || ::ioctl(fd.get(), TUNSETIFF, &request) != 0 || ::ioctl(fd.get(), TUNSETLINK, ARPHRD_INFINIBAND) != 0)
        return {};
    return fd;
}

} // namespace nmib::test
