// SPDX-License-Identifier: LGPL-2.1-or-later
/// Network interfaces over rtnetlink. libnl-3 carries the messages; the IPoIB attributes are ours, libnl-route has no
/// such link type.
#pragma once
#include "core/base/result.hpp"
#include "core/plan/facts.hpp"
#include "probe/base/netlink.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace nmib
{

/// One RTM_NEWLINK, the part of it that matters here (include/uapi/linux/if_link.h).
struct LinkRow {
    int ifindex = 0;
    std::optional<IfName> name{};
    bool infiniband = false; ///< IPoIB: ARPHRD_INFINIBAND with a 20-byte address, and the kind "ipoib" or none
    int parent = 0;          ///< IFLA_LINK, where it is another interface of this namespace
    HwAddr address{};
    Mtu mtu = 0;
    bool up = false;
    bool carrier = false;
    std::optional<PKey> pkey{};                   ///< IFLA_IPOIB_PKEY
    std::optional<TransportMode> mode{};          ///< IFLA_IPOIB_MODE
    std::vector<std::string> alternative_names{}; ///< IFLA_ALT_IFNAME; read by all_links() alone
};

/// Reads one message; nothing unless it is a whole, sane RTM_NEWLINK.
std::optional<LinkRow> parse_link(const nlmsghdr *message) noexcept;

/// One socket; not for sharing between threads.
class Rtnl
{
public:
    static Result<Rtnl> open();
    Result<LinkRow> link(int ifindex);
    Result<LinkRow> link(const IfName &name);
    /// All interfaces of kind "ipoib". A dump that the kernel interrupted is repeated.
    Result<std::vector<LinkRow>> ipoib_links();

    /// All interfaces there are, with their alternative names.
    Result<std::vector<LinkRow>> all_links();

    /// A request that is acknowledged; the negative errno of the kernel comes back as an Error.
    Result<void> acknowledged(nl_msg *message, const std::string &where);

private:
    /// Of this kind, or of every kind for null.
    Result<std::vector<LinkRow>> dump(const char *kind);
    explicit Rtnl(Netlink netlink) : netlink_(std::move(netlink)) {}
    Result<LinkRow> one(int ifindex, const char *name, const std::string &where);
    Netlink netlink_;
};

} // namespace nmib
