// SPDX-License-Identifier: LGPL-2.1-or-later
#include "fake_kernel.hpp"

#include "core/base/text.hpp"
#include "probe/base/rtnl.hpp"
#include "probe/plan/ethtool.hpp"

#include <algorithm>
#include <cerrno>
#include <linux/if.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <netlink/attr.h>
#include <netlink/msg.h>

namespace nmib
{

namespace test
{

FakeKernel *&the_kernel()
{
    static FakeKernel *kernel = nullptr;
    return kernel;
}

FakeKernel::FakeKernel(Facts facts, std::map<int, KernelModel::Limits> limits) :
    model_(std::move(facts), std::move(limits))
{
    for (const auto &l : model_.facts().links)
        if (l.is_child()) tree.child(l.name.str(), l.ifindex);
    the_kernel() = this;
}

FakeKernel::~FakeKernel() { the_kernel() = nullptr; }

KernelModel &FakeKernel::model()
{
    for (const auto &l : model_.facts().links)
        if (const auto written = parse_mode(trim(mode_file(l.name.str())))) (void)model_.set_mode(l.ifindex, *written);
    return model_;
}

} // namespace test

using test::the_kernel;

namespace
{
LinkRow row_of(const Link &l)
{
    LinkRow r;
    r.ifindex = l.ifindex;
    r.name = l.name;
    r.infiniband = true;
    r.parent = l.parent;
    r.address = l.address;
    r.mtu = l.mtu;
    r.up = l.up;
    r.carrier = l.carrier;
    r.pkey = l.pkey;
    r.mode = l.mode;
    return r;
}

const Link *by_name(const IfName &name)
{
    const auto &links = the_kernel()->model().facts().links;
    const auto it = std::find_if(links.begin(), links.end(), [&](const Link &l) { return l.name == name; });
    return it == links.end() ? nullptr : &*it;
}
} // namespace

Result<Rtnl> Rtnl::open() { return Rtnl(Netlink()); }

Result<LinkRow> Rtnl::link(int ifindex)
{
    const auto *l = std::as_const(the_kernel()->model()).facts().find(ifindex);
    return l ? Result<LinkRow>(row_of(*l)) : sys_error(ENODEV, std::to_string(ifindex));
}

Result<LinkRow> Rtnl::link(const IfName &name)
{
    const auto *l = by_name(name);
    return l ? Result<LinkRow>(row_of(*l)) : sys_error(ENODEV, name.str());
}

Result<std::vector<LinkRow>> Rtnl::ipoib_links()
{
    std::vector<LinkRow> rows;
    for (const auto &l : the_kernel()->model().facts().links) rows.push_back(row_of(l));
    return rows;
}

Result<void> Rtnl::acknowledged(nl_msg *message, const std::string &where)
{
    auto &kernel = *the_kernel();
    auto *hdr = ::nlmsg_hdr(message);
    const auto *ifi = static_cast<const ifinfomsg *>(::nlmsg_data(hdr));
    auto &model = kernel.model();
    kernel.writes++;
    if ((ifi->ifi_change & IFF_UP) && !(ifi->ifi_flags & IFF_UP)) kernel.downs++;
    if (!std::as_const(model).facts().find(ifi->ifi_index)) return sys_error(ENODEV, where);
    if (hdr->nlmsg_type == RTM_DELLINK) {
        model.remove(ifi->ifi_index);
        return {};
    }
    const auto *mtu = ::nlmsg_find_attr(hdr, sizeof(*ifi), IFLA_MTU);
    if (mtu && !model.set_mtu(ifi->ifi_index, ::nla_get_u32(mtu))) return sys_error(EINVAL, where);
    return {};
}

Result<Ethtool> Ethtool::open() { return Ethtool(UniqueFd()); }

Result<std::vector<Feature>> Ethtool::features(const IfName &link, int, const std::vector<FeatureName> &names)
{
    const auto *l = by_name(link);
    if (!l) return sys_error(ENODEV, link.str());
    if (the_kernel()->no_features) return sys_error(the_kernel()->no_features, link.str() + ": offload features");
    std::vector<Feature> out;
    for (const auto &f : l->features)
        if (std::find(names.begin(), names.end(), f.name) != names.end()) out.push_back(f);
    return out;
}

Result<void> Ethtool::set(const IfName &link, int, const FeatureName &feature, bool on)
{
    the_kernel()->writes++;
    const auto *l = by_name(link);
    if (!l) return sys_error(ENODEV, link.str());
    if (!the_kernel()->model().set_feature(l->ifindex, feature, on)) return sys_error(EINVAL, link.str());
    return {};
}

} // namespace nmib
