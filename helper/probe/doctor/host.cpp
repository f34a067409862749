// SPDX-License-Identifier: LGPL-2.1-or-later
#include "probe/doctor/host.hpp"

#include "core/base/text.hpp"
#include "core/host/rails.hpp"
#include "core/name/port_name.hpp"
#include "probe/base/dir.hpp"
#include "probe/base/ifcfg.hpp"
#include "probe/check/route.hpp"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <ifaddrs.h>
#include <memory>
#include <net/if.h>
#include <netinet/in.h>
#include <string_view>
#include <sys/xattr.h>
#include <unistd.h>

namespace nmib
{

namespace
{
using Why = StrayFile::Why;
constexpr std::size_t longest = 65536;

void look_at_ifcfg(const Dir &etc, const std::set<std::string> &interfaces, const std::set<std::string> &loaded,
                   std::vector<StrayFile> &all)
{
    const std::string place = "sysconfig/network-scripts";
    for (const auto &name : etc.names(place)) {
        const auto text = etc.read(place + "/" + name, longest);
        if (!text || !is_ifcfg_name(name)) continue;
        const auto file = parse_ifcfg(*text, name);
        const bool has_type = !file || file->get("connection", "type") == "infiniband"; // an Error is about the P_Key
        if (!has_type && !interfaces.contains(file->get("connection", "interface-name").value_or(""))) continue;
        const auto path = etc.path() + "/" + place + "/" + name;
        if (!has_type)
            all.push_back({Why::ifcfg_type, path});
        else if (!loaded.contains(path))
            all.push_back({Why::ifcfg_unread, path});
        else if (std::none_of(all.begin(), all.end(), [](const auto &f) { return f.why == Why::ifcfg_used; }))
            all.push_back({Why::ifcfg_used, ifcfg_directory});
    }
}

void look_at_ifupdown2(const Dir &etc, const Dir &usr, const std::set<std::string> &interfaces,
                       std::vector<StrayFile> &all)
{
    const auto installed = usr.exists("share/ifupdown2");
    const auto text = etc.read("network/interfaces", longest);
    if (!installed || !*installed || !text) return;
    for (const auto &line : cut(*text, "\n")) {
        const auto words = cut(line, " \t");
        if (words.size() > 1 && words[0] == "iface" && interfaces.contains(std::string(words[1])))
            all.push_back({Why::ifupdown2, etc.path() + "/network/interfaces", std::string(words[1])});
    }
}

/// Finds "ifname=ib0:00:02:c9:0a:00:01" and "ip=ib0:dhcp" (dracut.cmdline(7)).
void look_at_boot_words(const Dir &proc, const std::set<std::string> &interfaces, std::vector<StrayFile> &all)
{
    const auto text = proc.read("cmdline", longest);
    for (const auto &word : cut(text ? std::string_view(*text) : std::string_view{}, " \n")) {
        const auto value = word.substr(word.find('=') + 1);
        const auto names = cut(value, ":");
        for (const auto &name : names)
            if (word.starts_with("ip=") && interfaces.size() > 1 && interfaces.contains(name) &&
                fault(name) == NameFault::kernel_like)
                all.push_back({Why::boot_name, proc.path() + "/cmdline", name});
        if (!word.starts_with("ifname=")) continue;
        const auto fields = cut(word.substr(7), ":");
        if (fields.size() == 7 && interfaces.contains(std::string(fields[0])))
            all.push_back({Why::boot_word, proc.path() + "/cmdline", std::string(fields[0])});
    }
}
} // namespace

std::vector<StrayFile> stray_files(const Dir &etc, const Dir &proc, const Dir &usr,
                                   const std::set<std::string> &interfaces, const std::set<std::string> &loaded)
{
    std::vector<StrayFile> all;
    look_at_ifcfg(etc, interfaces, loaded, all);
    look_at_ifupdown2(etc, usr, interfaces, all);
    look_at_boot_words(proc, interfaces, all);
    return all;
}

std::optional<KernelLine> parse_kernel_record(std::string_view record)
{
    if (record.find(';') == record.npos) return {};
    auto head = take(record, ';'); // priority, sequence number, microseconds, flags
    for (int i = 0; i < 2; i++) (void)take(head, ',');
    const auto usec = parse_decimal(take(head, ','), UINT64_MAX / 2);
    if (!usec) return {};
    return KernelLine{*usec, std::string(take(record))}; // below are the record's properties
}

Result<std::vector<KernelLine>> read_kernel_log()
{
    constexpr const char *path = "/dev/kmsg";
    const UniqueFd fd(::open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC));
    if (!fd) return sys_error(errno, path);
    std::vector<KernelLine> lines;
    char record[8192]; // longer than the kernel's records; a shorter read is refused
    for (;;) {
        const auto n = ::read(fd.get(), record, sizeof record);
        if (n < 0 && (errno == EPIPE || errno == EINTR)) continue; // EPIPE: a record was overwritten
        if (n <= 0) break;
        if (auto line = parse_kernel_record({record, static_cast<std::size_t>(n)})) lines.push_back(std::move(*line));
    }
    return lines;
}

namespace
{
/// The paths that a pattern with at most one '*' at the end of a component matches.
std::vector<std::string> matching(const Dir &root, const std::string &pattern)
{
    const auto star = pattern.find('*');
    if (star == pattern.npos) return {pattern};
    const auto slash = pattern.rfind('/', star);
    const auto start = pattern.substr(slash + 1, star - slash - 1);
    std::vector<std::string> all;
    for (const auto &name : root.names(pattern.substr(0, slash)))
        if (name.starts_with(start)) all.push_back(pattern.substr(0, slash + 1) + name + pattern.substr(star + 1));
    return all;
}
} // namespace

std::vector<Tool> read_tools(const Dir &root, std::span<const KnownTool> known)
{
    std::vector<Tool> all;
    for (const auto &tool : known)
        for (const auto &pattern : tool.files)
            for (const auto &path : matching(root, std::string(pattern))) {
                const auto text = root.read(path, longest);
                const auto at = text ? text->find(tool.marker) : std::string::npos;
                if (at == std::string::npos) continue;
                const auto version = std::string_view(*text).substr(at + tool.marker.size());
                all.push_back(
                    {std::string(tool.name), std::string(version.substr(0, version.find_first_not_of("0123456789.")))});
            }
    return all;
}

std::string container_of(const Dir &root)
{
    if (auto name = root.line("run/systemd/container"); !name.empty()) return name; // systemd-nspawn(1), podman, lxc
    for (const auto &[file, name] : {std::pair("run/.containerenv", "podman"), {".dockerenv", "docker"}})
        if (const auto there = root.exists(file); there && *there) return name;
    return {};
}

bool selinux_enforces()
{
    const UniqueFd fd(::open("/sys/fs/selinux/enforce", O_RDONLY | O_CLOEXEC));
    if (!fd) return errno == EACCES;
    char value = '0';
    return ::read(fd.get(), &value, 1) == 1 ? value == '1' : errno == EACCES;
}

std::string selinux_type(const std::string &path)
{
    char label[256];
    const auto n = ::lgetxattr(path.c_str(), "security.selinux", label, sizeof label);
    std::string_view type(label, n > 0 ? static_cast<std::size_t>(n) : 0);
    for (int before = 0; before < 2; before++)
        type.remove_prefix(std::min(type.size(), type.find(':') + 1)); // user, role
    return std::string(type.substr(0, type.find(':')));
}

namespace
{
/// The kernel uses the larger value of `all` and the interface (Documentation/networking/ip-sysctl.rst).
std::uint64_t setting(const Dir &proc, const std::string &interface, const char *name)
{
    std::uint64_t largest = 0;
    for (const auto &whose : {std::string("all"), interface})
        largest = std::max(largest, proc.decimal("sys/net/ipv4/conf/" + whose + "/" + name, 255).value_or(0));
    return largest;
}

std::uint32_t bits(const sockaddr *address)
{
    sockaddr_in in{};
    std::memcpy(&in, address, sizeof(in));
    return ntohl(in.sin_addr.s_addr);
}

IpAddress ip_address(std::uint32_t bits)
{
    IpAddress a;
    for (std::size_t i = 0; i < 4; i++) a.bytes[i] = static_cast<std::uint8_t>(bits >> (24 - 8 * i));
    return a;
}

/// Returns true if packets from the address into its subnet leave through the interface, by whatever rule. Asks for an
/// address that this machine does not have.
bool leaves_through(const RailAddress &from, unsigned ifindex, const std::set<std::uint32_t> &own)
{
    if (from.prefix == 0 || from.prefix > 30) return true;
    const auto hosts = (std::uint32_t{1} << (32 - from.prefix)) - 2;
    auto to = (from.address & ~(hosts + 1)) + 1;
    const auto last = to + hosts - 1;
    while (own.contains(to) && to < last) to++;
    const auto source = ip_address(from.address);
    const auto route = read_route(ip_address(to), &source);
    return route && (route->local || static_cast<unsigned>(route->ifindex) == ifindex);
}
} // namespace

Result<std::vector<IpNetwork>> read_networks(const Dir &proc, std::span<const std::string> interfaces)
{
    ifaddrs *list = nullptr;
    if (::getifaddrs(&list) != 0) return sys_error(errno, "addresses");
    const std::unique_ptr<ifaddrs, decltype(&::freeifaddrs)> owner(list, ::freeifaddrs);
    const auto is_ipv4 = [](const ifaddrs *a) {
        return a->ifa_addr && a->ifa_netmask && a->ifa_addr->sa_family == AF_INET;
    };
    std::set<std::uint32_t> own;
    for (const auto *a = list; a; a = a->ifa_next)
        if (is_ipv4(a)) own.insert(bits(a->ifa_addr));
    std::vector<IpNetwork> all;
    for (const auto *a = list; a; a = a->ifa_next) {
        if (!is_ipv4(a)) continue;
        if (std::find(interfaces.begin(), interfaces.end(), a->ifa_name) == interfaces.end()) continue;
        const RailAddress address{bits(a->ifa_addr), static_cast<unsigned>(std::popcount(bits(a->ifa_netmask)))};
        const auto ignore = setting(proc, a->ifa_name, "arp_ignore"); // 1, 2: only for its own addresses
        const bool is_rail = (ignore == 1 || ignore == 2) && setting(proc, a->ifa_name, "arp_announce") == 2 &&
                             setting(proc, a->ifa_name, "rp_filter") != 1 &&
                             leaves_through(address, ::if_nametoindex(a->ifa_name), own);
        const auto same = std::find_if(all.begin(), all.end(), [&, network = address.network()](const IpNetwork &n) {
            return n.interface == a->ifa_name && n.network == network;
        });
        if (same == all.end())
            all.push_back({a->ifa_name, address.network(), is_rail});
        else
            same->is_rail |= is_rail; // a cluster manager adds addresses that have no rule
    }
    return all;
}

} // namespace nmib
