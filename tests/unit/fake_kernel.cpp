// SPDX-License-Identifier: LGPL-2.1-or-later
#include "fake_kernel.hpp"

#include "core/base/text.hpp"
#include "probe/base/rtnl.hpp"
#include "probe/plan/ethtool.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <netlink/attr.h>
#include <netlink/msg.h>
#include <stdexcept>
#include <sys/mman.h>
#include <unistd.h>

namespace nmib
{

namespace test
{

FakeKernel *&the_kernel()
{
    static FakeKernel *kernel = nullptr;
    return kernel;
}

FakeKernel::FakeKernel(Facts facts, std::map<int, KernelModel::Limits> limits, bool has_files) :
    model_(std::move(facts), std::move(limits)), has_files_(has_files)
{
    for (const auto &l : model_.facts().links)
        if (l.is_child()) tree.child(l.name.str(), l.ifindex);
    the_kernel() = this;
}

FakeKernel::~FakeKernel()
{
    if (the_kernel() == this) the_kernel() = nullptr;
}

KernelModel &FakeKernel::model()
{
    if (!has_files_) return model_;
    for (const auto &l : std::as_const(model_).facts().links) {
        const auto it = files_.find(l.ifindex);
        const auto mode = it == files_.end() ? mode_file(l.name.str()) : std::string(it->second.mode.content());
        if (const auto m = parse_mode(trim(mode)); m && m != l.mode) (void)model_.set_mode(l.ifindex, *m);
        if (it == files_.end()) continue;
        auto &ip6 = it->second.ip6;
        if (ip6.content() == ip6.written) continue;
        const auto mtu = parse_decimal(trim(ip6.content()), UINT32_MAX);
        if (mtu) (void)model_.set_ip6_mtu(l.ifindex, static_cast<Mtu>(*mtu));
        ip6.written = ip6.content();
        ip6.write(std::to_string(model_.ip6_mtu(l.ifindex)) + "\n"); // the kernel may have refused the value
    }
    return model_;
}

void FakeKernel::reset(Facts facts, std::map<int, KernelModel::Limits> limits)
{
    model_ = KernelModel(std::move(facts), std::move(limits));
    writes = downs = 0;
    no_features = no_answer = no_list = no_change = 0;
    if (!has_files_) return;
    tree.remove("run");
    show_files();
}

void FakeKernel::open_files()
{
    if (!has_files_) return;
    for (const auto &l : std::as_const(model_).facts().links) {
        const auto net = "class/net/" + l.name.str();
        auto &files = files_[l.ifindex];
        files.mode.open(tree, net + "/mode");
        files.carrier.open(tree, net + "/carrier_changes");
        files.ip6.open(tree, ip6_mtu_file(l.name.str()));
    }
}

void FakeKernel::write_files()
{
    for (auto &[ifindex, files] : files_) {
        const auto *l = std::as_const(model_).facts().find(ifindex);
        if (!l) continue;
        files.mode.write(std::string(name(l->mode)) + "\n");
        files.carrier.write(std::to_string(model_.carrier_changes(ifindex)) + "\n");
        files.ip6.write(std::to_string(model_.ip6_mtu(ifindex)) + "\n");
    }
}

namespace
{
constexpr std::size_t size = 4096;
}

void FakeKernel::File::open(const SysTree &tree, const std::string &where)
{
    if (tree.content(where).empty()) tree.file(where, "\n"); // without a byte, there is no page
    fd_ = UniqueFd(::open(tree.path(where).c_str(), O_RDWR | O_CLOEXEC));
    auto *page = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd_.get(), 0);
    if (page == MAP_FAILED) throw std::runtime_error(where);
    text_ = static_cast<char *>(page);
    written = text_;
}

FakeKernel::File::~File()
{
    if (text_) ::munmap(text_, size);
}

void FakeKernel::File::write(const std::string &text)
{
    if (text == written) return;
    if (text.size() != content().size() && ::ftruncate(fd_.get(), static_cast<off_t>(text.size())) != 0)
        throw std::runtime_error("ftruncate");
    std::copy(text.begin(), text.end(), text_);
    written = text;
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

template<class Match> Result<LinkRow> find_row(Match match, const std::string &where)
{
    if (the_kernel()->no_answer) return sys_error(the_kernel()->no_answer, where);
    for (const auto &l : the_kernel()->model().facts().links)
        if (match(l.ifindex, l.name)) return row_of(l);
    for (const auto &row : the_kernel()->others)
        if (match(row.ifindex, *row.name)) return row;
    return sys_error(ENODEV, where);
}

/// Stores the GUID in an RTM_SETLINK of IFLA_VFINFO_LIST; returns an errno.
int set_vf_guid(nlmsghdr *request)
{
    nlattr *list = ::nlmsg_find_attr(request, sizeof(ifinfomsg), IFLA_VFINFO_LIST);
    nlattr *info = list ? ::nla_find(static_cast<nlattr *>(::nla_data(list)), ::nla_len(list), IFLA_VF_INFO) : nullptr;
    if (!info) return EINVAL;
    for (const auto &[type, part] :
         {std::pair(IFLA_VF_IB_NODE_GUID, &VfGuid::node), {IFLA_VF_IB_PORT_GUID, &VfGuid::port}}) {
        const auto *guid = ::nla_find(static_cast<nlattr *>(::nla_data(info)), ::nla_len(info), type);
        ifla_vf_guid value{};
        if (!guid || ::nla_len(guid) != sizeof(value)) continue;
        std::memcpy(&value, ::nla_data(guid), sizeof(value));
        the_kernel()->vf_guids[value.vf].*part = Guid{value.guid};
        return 0;
    }
    return EINVAL;
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
    return find_row([=](int number, const IfName &) { return number == ifindex; }, std::to_string(ifindex));
}

Result<LinkRow> Rtnl::link(const IfName &name)
{
    return find_row([&](int, const IfName &its) { return its == name; }, name.str());
}

Result<std::vector<LinkRow>> Rtnl::ipoib_links()
{
    std::vector<LinkRow> rows;
    if (the_kernel()->no_list) return sys_error(the_kernel()->no_list, "list of interfaces");
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
    if (kernel.at_change) kernel.at_change();
    if (kernel.no_change) return sys_error(kernel.no_change, where);
    if ((ifi->ifi_change & IFF_UP) && !(ifi->ifi_flags & IFF_UP)) kernel.downs++;
    if (!std::as_const(model).facts().find(ifi->ifi_index)) return sys_error(ENODEV, where);
    if (hdr->nlmsg_type == RTM_DELLINK) {
        model.remove(ifi->ifi_index);
        return {};
    }
    if (const int e = hdr->nlmsg_type == RTM_SETLINK ? set_vf_guid(hdr) : 0) return sys_error(e, where);
    const auto *mtu = ::nlmsg_find_attr(hdr, sizeof(*ifi), IFLA_MTU);
    if (!mtu) return {};
    const auto value = ::nla_get_u32(mtu);
    const bool good = model.set_mtu(ifi->ifi_index, value);
    kernel.write_files();
    return good ? Result<void>() : sys_error(EINVAL, where);
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
    if (the_kernel()->at_change) the_kernel()->at_change();
    const auto *l = by_name(link);
    if (!l) return sys_error(ENODEV, link.str());
    if (the_kernel()->no_change) return sys_error(the_kernel()->no_change, link.str());
    if (!the_kernel()->model().set_feature(l->ifindex, feature, on)) return sys_error(EINVAL, link.str());
    return {};
}

} // namespace nmib
