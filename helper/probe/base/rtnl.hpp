// SPDX-License-Identifier: LGPL-2.1-or-later
/// Network interfaces over rtnetlink. Parses the IPoIB attributes itself, because libnl-route has no such link type.
#pragma once
#include "core/base/result.hpp"
#include "core/plan/facts.hpp"
#include "probe/base/netlink.hpp"

#include <vector>

namespace nmib
{

/// The used part of RTM_NEWLINK (include/uapi/linux/if_link.h).
struct LinkRow {
    int ifindex = 0;
    std::optional<IfName> name{};
    bool infiniband = false; ///< IPoIB: ARPHRD_INFINIBAND, address of 20 bytes, kind "ipoib" or none
    int parent = 0;          ///< IFLA_LINK, if it is another interface of this namespace
    HwAddr address{};
    Mtu mtu = 0;
    bool up = false;
    bool carrier = false;
    std::optional<PKey> pkey{};                   ///< IFLA_IPOIB_PKEY
    std::optional<TransportMode> mode{};          ///< IFLA_IPOIB_MODE
    std::vector<std::string> alternative_names{}; ///< IFLA_ALT_IFNAME; only from all_links()
};

/// Parses one message; nothing unless it is a complete RTM_NEWLINK.
std::optional<LinkRow> parse_link(const nlmsghdr *message) noexcept;

/// A socket for one thread.
class Rtnl
{
public:
    static Result<Rtnl> open();
    Result<LinkRow> link(int ifindex);
    Result<LinkRow> link(const IfName &name);
    /// Returns all interfaces of kind "ipoib". Repeats a dump that the kernel interrupted.
    Result<std::vector<LinkRow>> ipoib_links();

    /// Returns all interfaces, with their alternative names.
    Result<std::vector<LinkRow>> all_links();

    /// Sends a request and waits for the acknowledgement.
    Result<void> acknowledged(nl_msg *message, const std::string &where);

private:
    /// `kind` null: interfaces of every kind.
    Result<std::vector<LinkRow>> dump(const char *kind);
    explicit Rtnl(Netlink netlink) : netlink_(std::move(netlink)) {}
    Result<LinkRow> one(int ifindex, const char *name, const std::string &where);
    Netlink netlink_;
};

/// Returns the interface of the port with the GUID in this hardware address.
std::optional<IfName> port_with(Rtnl &rtnl, const HwAddr &address);

} // namespace nmib
