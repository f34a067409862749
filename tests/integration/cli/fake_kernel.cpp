// SPDX-License-Identifier: LGPL-2.1-or-later
/// nm-ib on interfaces and ports that do not exist. Replaces functions of libnl and libibumad: messages of the kernel
/// get the attributes of an IPoIB interface, and packets for subnet management get an answer. The lines of the file
/// $NMIB_FAKE_KERNEL have the values; bytes are hexadecimal digits:
/// - "link NAME ADDRESS P_KEY PARENT": an interface. ADDRESS has 20 bytes, PARENT is a name or "-". The mode is in
///   /sys/class/net/NAME/mode.
/// - "mad DEVICE PORT open ERRNO": the port cannot be opened.
/// - "mad DEVICE PORT own PORTINFO": the PortInfo of the port.
/// - "mad DEVICE PORT node NUMBER": the other end of the link is port NUMBER of its device.
/// - "mad DEVICE PORT peer NUMBER PORTINFO": the PortInfo of the other end.
/// - "mad DEVICE PORT manager LID SMINFO": the answer of the subnet manager at LID.
///
/// The last word "refused" is an answer with an error status.
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <endian.h>
#include <fstream>
#include <infiniband/umad.h>
#include <infiniband/umad_sm.h>
#include <iterator>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <map>
#include <net/if.h>
#include <netlink/attr.h>
#include <netlink/handlers.h>
#include <netlink/msg.h>
#include <netlink/socket.h>
#include <sstream>
#include <string>
#include <vector>

namespace
{
using Words = std::vector<std::string>;

std::vector<Words> lines()
{
    const char *path = std::getenv("NMIB_FAKE_KERNEL");
    std::ifstream file(path ? path : "/dev/null");
    std::vector<Words> all;
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line);
        all.emplace_back(std::istream_iterator<std::string>(words), std::istream_iterator<std::string>());
    }
    return all;
}

std::string bytes(const std::string &digits)
{
    std::string all;
    for (std::size_t i = 0; i + 1 < digits.size(); i += 2)
        all += static_cast<char>(std::stoi(digits.substr(i, 2), nullptr, 16));
    return all;
}

std::uint16_t number(const std::string &word) { return static_cast<std::uint16_t>(std::stoul(word, nullptr, 0)); }

struct Callback {
    nl_recvmsg_msg_cb_t call;
    void *to;
};

/// Replaces the values of the TAP interface that stands for the interface.
void add_attributes(nl_msg *message, const Words &words)
{
    std::string mode;
    std::ifstream("/sys/class/net/" + words[1] + "/mode") >> mode;
    ::nla_put(message, IFLA_ADDRESS, 20, bytes(words[2]).data());
    if (words[4] != "-") ::nla_put_u32(message, IFLA_LINK, ::if_nametoindex(words[4].c_str()));
    nlattr *info = ::nla_nest_start(message, IFLA_LINKINFO);
    ::nla_put_string(message, IFLA_INFO_KIND, "ipoib");
    nlattr *data = ::nla_nest_start(message, IFLA_INFO_DATA);
    ::nla_put_u16(message, IFLA_IPOIB_MODE, mode == "connected" ? IPOIB_MODE_CONNECTED : IPOIB_MODE_DATAGRAM);
    ::nla_put_u16(message, IFLA_IPOIB_PKEY, number(words[3]));
    ::nla_nest_end(message, data);
    ::nla_nest_end(message, info);
}

/// Later attributes override earlier ones.
int deliver(nl_msg *message, void *to)
{
    const auto &callback = *static_cast<Callback *>(to);
    auto *header = ::nlmsg_hdr(message);
    if (header->nlmsg_type != RTM_NEWLINK) return callback.call(message, callback.to);
    const auto *name = ::nlmsg_find_attr(header, sizeof(ifinfomsg), IFLA_IFNAME);
    for (const auto &words : lines()) {
        if (words.empty() || words[0] != "link" || !name || words[1] != ::nla_get_string(name)) continue;
        auto *longer = ::nlmsg_alloc_size(header->nlmsg_len + 1024);
        std::memcpy(::nlmsg_hdr(longer), header, header->nlmsg_len);
        add_attributes(longer, words);
        const int result = callback.call(longer, callback.to);
        ::nlmsg_free(longer);
        return result;
    }
    return callback.call(message, callback.to);
}

struct Port {
    std::string device, number;
    umad_smp asked{};
    unsigned lid = 0;
};
std::map<int, Port> ports; ///< by descriptor

/// Returns the data of the answer as hexadecimal digits; "" without an answer.
std::string answer(const Port &port)
{
    const auto attribute = be16toh(port.asked.attr_id);
    const auto modifier = std::to_string(be32toh(port.asked.attr_mod));
    const bool directed = port.asked.mgmt_class == UMAD_CLASS_SUBN_DIRECTED_ROUTE && port.lid == 0xffff &&
                          port.asked.dr_slid == 0xffff && port.asked.dr_dlid == 0xffff;
    const bool own = directed && port.asked.hop_cnt == 0;
    const bool peer = directed && port.asked.hop_cnt == 1 && std::to_string(port.asked.initial_path[1]) == port.number;
    const bool routed = port.asked.mgmt_class == UMAD_CLASS_SUBN_LID_ROUTED && attribute == UMAD_SM_ATTR_SM_INFO;
    for (const auto &words : lines()) {
        if (words.size() < 5 || words[0] != "mad" || words[1] != port.device || words[2] != port.number) continue;
        const auto &what = words[3], &value = words.back();
        if (what == "own" && own && attribute == UMAD_SM_ATTR_PORT_INFO && modifier == port.number) return value;
        if (what == "peer" && peer && attribute == UMAD_SM_ATTR_PORT_INFO && modifier == words[4]) return value;
        if (what == "manager" && routed && std::to_string(port.lid) == words[4]) return value;
        if (what == "node" && peer && attribute == UMAD_SM_ATTR_NODE_INFO)
            return std::string(2 * 36UL, '0') + value; // LocalPortNum
    }
    return {};
}
} // namespace

extern "C" {

int nl_socket_modify_cb(nl_sock *socket, nl_cb_type type, nl_cb_kind kind, nl_recvmsg_msg_cb_t call, void *to)
{
    static const auto real =
        reinterpret_cast<decltype(&nl_socket_modify_cb)>(::dlsym(RTLD_NEXT, "nl_socket_modify_cb"));
    static Callback callback{}; // one request at a time
    if (type != NL_CB_VALID || kind != NL_CB_CUSTOM) return real(socket, type, kind, call, to);
    callback = {call, to};
    return real(socket, type, kind, deliver, &callback);
}

int umad_open_port(const char *device, int number)
{
    const auto port = std::to_string(number);
    for (const auto &words : lines()) {
        if (words.size() < 5 || words[0] != "mad" || words[1] != device || words[2] != port) continue;
        if (words[3] == "open") return errno = std::stoi(words[4]), -errno;
        const int id = ports.empty() ? 0 : ports.rbegin()->first + 1;
        ports[id] = {device, port};
        return id;
    }
    return -EIO;
}

int umad_close_port(int id) { return ports.erase(id) == 1 ? 0 : -EINVAL; }

int umad_register(int id, int, int, std::uint8_t, long *) { return ports.contains(id) ? 1 : -EINVAL; }

int umad_unregister(int, int) { return 0; }

int umad_send(int id, int, void *umad, int length, int, int)
{
    auto &port = ports.at(id);
    if (length != static_cast<int>(sizeof port.asked)) return -EINVAL;
    std::memcpy(&port.asked, ::umad_get_mad(umad), sizeof port.asked);
    port.lid = be16toh(static_cast<const ib_user_mad *>(umad)->addr.lid);
    return 0;
}

int umad_recv(int id, void *umad, int *length, int)
{
    const auto value = answer(ports.at(id));
    auto smp = ports.at(id).asked;
    const auto data = bytes(value == "refused" ? "" : value);
    data.copy(reinterpret_cast<char *>(smp.data), sizeof smp.data);
    smp.status = htobe16(value == "refused" ? UMAD_SMP_DIRECTION | 0x1c : UMAD_SMP_DIRECTION);
    static_cast<ib_user_mad *>(umad)->status = value.empty() ? ETIMEDOUT : 0;
    std::memcpy(::umad_get_mad(umad), &smp, sizeof smp);
    *length = sizeof smp;
    return 0;
}
}
