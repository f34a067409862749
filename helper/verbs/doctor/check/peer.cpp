// SPDX-License-Identifier: LGPL-2.1-or-later
#include "verbs/doctor/check/peer.hpp"

#include "core/base/text.hpp"
#include "core/check/step.hpp"
#include "core/ib/link.hpp"
#include "probe/base/dir.hpp"
#include "probe/port/rdma_devices.hpp"
#include "terminal/words.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <cstring>
#include <memory>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>

namespace nmib::cli
{

namespace
{
std::optional<IpAddress> address_of(const addrinfo &found)
{
    IpAddress a;
    if (found.ai_family == AF_INET) {
        sockaddr_in in{};
        std::memcpy(&in, found.ai_addr, sizeof(in));
        std::memcpy(a.bytes.data(), &in.sin_addr, sizeof(in.sin_addr));
        return a;
    }
    if (found.ai_family != AF_INET6) return std::nullopt;
    sockaddr_in6 in{};
    std::memcpy(&in, found.ai_addr, sizeof(in));
    std::memcpy(a.bytes.data(), &in.sin6_addr, sizeof(in.sin6_addr));
    a.six = true;
    a.scope = static_cast<int>(in.sin6_scope_id);
    return a;
}

using AddressList = std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)>;

/// On failure: an empty list, and the error code of getaddrinfo.
std::pair<AddressList, int> look_up(const std::string &peer, const char *service, int family, int flags)
{
    addrinfo hints{};
    hints.ai_family = family;
    hints.ai_flags = flags;
    hints.ai_socktype = SOCK_DGRAM;
    addrinfo *list = nullptr;
    const int failed = ::getaddrinfo(peer.c_str(), service, &hints, &list);
    return {AddressList(failed ? nullptr : list, ::freeaddrinfo), failed};
}
} // namespace

Result<IpAddress> resolve(const std::string &peer, int family)
{
    const auto [list, failed] = look_up(peer, nullptr, family, 0);
    for (const auto *a = list.get(); a; a = a->ai_next)
        if (const auto address = address_of(*a)) return *address;
    return Error{Error::Kind::absent,
                 message(untranslated, "{}: {}", printable(peer), ::gai_strerror(failed ? failed : EAI_NONAME))};
}

std::string text_of(const IpAddress &address)
{
    char text[INET6_ADDRSTRLEN] = {}, name[IF_NAMESIZE] = {};
    ::inet_ntop(address.six ? AF_INET6 : AF_INET, address.bytes.data(), text, sizeof(text));
    const bool link_local = address.six && address.bytes[0] == 0xfe && (address.bytes[1] & 0xc0) == 0x80;
    if (!link_local || address.scope <= 0 || !::if_indextoname(static_cast<unsigned>(address.scope), name)) return text;
    return std::string(text) + "%" + name;
}

void stir(const IpAddress &address)
{
    constexpr auto discard_port = "9"; // RFC 863
    const auto [to, failed] = look_up(text_of(address), discard_port, AF_UNSPEC, AI_NUMERICHOST | AI_NUMERICSERV);
    if (failed) return;
    const UniqueFd fd(::socket(to->ai_family, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (fd) (void)::sendto(fd.get(), "", 0, 0, to->ai_addr, to->ai_addrlen);
}

namespace
{
constexpr int deepest = 4; ///< stacked interfaces: a VLAN on a bond ...

const LinkRow *row_of(const std::vector<LinkRow> &rows, int ifindex)
{
    const auto found =
        std::find_if(rows.begin(), rows.end(), [&](const LinkRow &row) { return row.ifindex == ifindex; });
    return found == rows.end() ? nullptr : &*found;
}

/// Returns the interface below: a bond's active port, or a VLAN's parent; 0: none.
int below(const Dir &sysfs, const std::vector<LinkRow> &rows, const LinkRow &row)
{
    const auto active = row.name ? sysfs.read("class/net/" + row.name->str() + "/bonding/active_slave", 64)
                                 : Result<std::string>(Error{});
    if (!active) return row.parent;
    const auto name = IfName::parse(trim(*active));
    for (const auto &r : rows)
        if (name && r.name == name) return r.ifindex;
    return 0;
}

/// Returns true if the interface is on a port; then sets the port's values in `seen`.
bool read_port(const Dir &sysfs, std::vector<RdmaDevice> &devices, int ifindex, LinkSeen &seen)
{
    for (auto &device : devices)
        for (auto &port : device.ports)
            for (const auto &n : port.interfaces) {
                if (n.ifindex != ifindex) continue;
                seen.port = device.label(port);
                seen.mode = n.mode;
                if (port.rate && port.layer) seen.data_rate = data_rate(*port.rate, *port.layer);
                read_details(sysfs, device);
                if (!device.pci_speed || !device.pci_width) return true;
                const auto link = PciLink::parse(*device.pci_speed, *device.pci_width);
                if (link.is_known()) seen.pci_rate = link.mbps();
                return true;
            }
    return false;
}
} // namespace

Result<LinkSeen> look_at_link(int ifindex)
{
    const auto sysfs = Dir::open("/sys");
    if (!sysfs) return sysfs.error();
    auto rtnl = Rtnl::open();
    const auto rows = rtnl ? rtnl->all_links() : Result<std::vector<LinkRow>>(rtnl.error());
    if (!rows) return rows.error();
    const auto *row = row_of(*rows, ifindex);
    if (!row) return Error{Error::Kind::absent, form("interface {} no longer exists", ifindex)};
    LinkSeen seen{.interface = row->name ? row->name->str() : std::to_string(ifindex),
                  .up = row->up,
                  .carrier = row->carrier,
                  .mtu = row->mtu};
    auto devices = read_rdma_devices(*sysfs, *rows);
    if (!devices) return devices.error();
    for (int depth = 0; row && depth < deepest && !read_port(*sysfs, *devices, row->ifindex, seen); depth++)
        row = row_of(*rows, below(*sysfs, *rows, *row));
    return seen;
}

} // namespace nmib::cli
