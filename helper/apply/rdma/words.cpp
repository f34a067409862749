// SPDX-License-Identifier: LGPL-2.1-or-later
#include "apply/rdma/words.hpp"

#include "apply/base/file.hpp"
#include "probe/base/rdma_netlink.hpp"

#include <cerrno>
#include <fcntl.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <netlink/attr.h>
#include <rdma/rdma_netlink.h>
#include <sys/stat.h>
#include <unistd.h>

namespace nmib
{

Result<void> write_rdma_words(const std::string &directory, const std::string &uuid, const RdmaValues &values)
{
    std::string lines;
    for (const auto &[name, value] : values) lines += name + "=" + value + "\n";
    if (!lines.empty())
        if (const auto parent = make_dir(split_path(directory).first); !parent) return parent.error();
    auto dir = lines.empty() ? Dir::open(directory) : make_dir(directory);
    if (!dir) return lines.empty() && dir.error().kind == Error::Kind::absent ? Result<void>() : dir.error();
    if (lines.empty()) return remove_file(*dir, uuid);
    remove_temporary_files(*dir);
    return write_file(*dir, uuid,
                      "# rdma.* words of the NetworkManager profile with this UUID, see nm-ib(1). nm-ib "
                      "connection writes this file, and drops comments.\n" +
                          lines);
}

namespace
{
bool is_name(const std::string &device)
{
    return !device.empty() && device.find('/') == device.npos && !device.starts_with('.');
}

/// Calls `use` with the folder of a port. Removes the device's folder afterwards if this call made it.
template<class Use>
Result<RoceValues> with_folder(const std::string &path, const std::string &device, unsigned port, Use use)
{
    if (!is_name(device)) return Error{Error::Kind::invalid, "'" + device + "' is not an RDMA device"};
    const auto top = Dir::open(path);
    if (!top) return top.error();
    const bool made = ::mkdirat(top->fd(), device.c_str(), 0755) == 0;
    if (!made && errno != EEXIST) return sys_error(errno, path + "/" + device);
    const auto folder = top->sub(device + "/ports/" + std::to_string(port));
    auto result = folder.and_then([&](auto &f) { return use(f); });
    if (made) ::unlinkat(top->fd(), device.c_str(), AT_REMOVEDIR);
    return result;
}

constexpr const char *mode_file = "default_roce_mode", *tos_file = "default_roce_tos";

Result<RoceValues> read(const Dir &folder)
{
    RoceValues now{.mode = parse_kernels_roce_mode(folder.line(mode_file))};
    if (const auto tos = folder.decimal(tos_file, 255)) now.tos = static_cast<unsigned>(*tos);
    return now;
}

Error no_netlink() { return {Error::Kind::io, "RDMA netlink cannot be opened (modprobe ib_core)"}; }

Error refused(int code, const AddSoft &step)
{
    const auto type = std::string(word(step.type));
    const auto where = "RDMA device " + step.name + ": ";
    const auto say = [&](const std::string &what) { return Error{Error::Kind::refused, where + what}; };
    switch (code) {
    case EEXIST: return say(step.link.str() + " already has a device of this type with another name (rdma link)");
    case ENFILE: return say("another interface has a device of that name (rdma link)");
    case EINVAL:
        return say("this kernel makes no device of type " + type + " on " + step.link.str() + " (modprobe " +
                   (step.type == SoftRdma::rxe ? "rdma_rxe" : "siw") + " shows whether the kernel has the module)");
    case ENODEV: return say(step.link.str() + " no longer exists");
    case EPERM: return say("the kernel makes no device on " + step.link.str() + "; for a VLAN, use the VLAN's parent");
    default: return sys_error(code, where + "cannot be made");
    }
}

Result<void> write_guid(const Dir &sysfs, const SetVfGuid &step)
{
    auto text = step.to.port.bytes();
    std::erase(text, ':');
    return write_value(sysfs, step.file, text, "/sys/" + step.file);
}
} // namespace

bool has_folder(const std::string &path, const std::string &device)
{
    const auto top = is_name(device) ? Dir::open(path) : Result<Dir>(Error{});
    const auto there = top.and_then([&](auto &t) { return t.exists(device); });
    return there && *there;
}

void remove_folder(const std::string &path, const std::string &device)
{
    const auto top = is_name(device) ? Dir::open(path) : Result<Dir>(Error{});
    if (top) ::unlinkat(top->fd(), device.c_str(), AT_REMOVEDIR);
}

Result<RoceValues> read_roce(const std::string &path, const std::string &device, unsigned port)
{
    return with_folder(path, device, port, read);
}

Result<void> set_roce(const std::string &path, const SetRoce &step)
{
    const auto &to = step.to;
    const auto now = with_folder(path, step.device, step.port, [&](const Dir &folder) -> Result<RoceValues> {
        const auto write = [&](const char *file, const std::string &value) {
            return write_value(folder, file, value, folder.path() + "/" + file + ": " + value);
        };
        const auto mode = to.mode ? write(mode_file, std::string(kernels(*to.mode))) : Result<void>();
        const auto tos = mode && to.tos ? write(tos_file, std::to_string(*to.tos)) : mode;
        return tos ? read(folder) : tos.error();
    });
    if (!now) return now.error();
    if ((to.mode && now->mode != to.mode) || (to.tos && now->tos != to.tos))
        return Error{Error::Kind::refused, step.device + "/" + std::to_string(step.port) +
                                               ": the RoCE values were written, but other values are in effect"};
    return {};
}

Result<void> add_soft_rdma(const AddSoft &step)
{
    auto socket = Netlink::open(NETLINK_RDMA);
    const auto m = rdma_request(RDMA_NLDEV_CMD_NEWLINK);
    if (!socket || !m) return no_netlink();
    if (::nla_put_string(m.get(), RDMA_NLDEV_ATTR_DEV_NAME, step.name.c_str()) < 0 ||
        ::nla_put_string(m.get(), RDMA_NLDEV_ATTR_LINK_TYPE, std::string(word(step.type)).c_str()) < 0 ||
        ::nla_put_string(m.get(), RDMA_NLDEV_ATTR_NDEV_NAME, step.link.c_str()) < 0)
        return sys_error(ENOMEM, step.name);
    const int code = socket->acknowledged(m.get());
    if (code != 0) return refused(code, step);
    return {};
}

Result<void> remove_soft_rdma(const RemoveSoft &step)
{
    auto socket = Netlink::open(NETLINK_RDMA);
    const auto m = rdma_request(RDMA_NLDEV_CMD_DELLINK);
    if (!socket || !m) return no_netlink();
    const auto index = rdma_index(*socket, step.name);
    if (!index) return index.error();
    if (!*index) return {};
    if (::nla_put_u32(m.get(), RDMA_NLDEV_ATTR_DEV_INDEX, **index) < 0) return sys_error(ENOMEM, step.name);
    const int code = socket->acknowledged(m.get());
    if (code != 0 && code != ENODEV) return sys_error(code, "RDMA device " + step.name + ": cannot be removed");
    return {};
}

Result<void> set_vf_guid(const Dir &sysfs, Rtnl &rtnl, const SetVfGuid &step)
{
    if (!step.file.empty()) return write_guid(sysfs, step);
    const auto where = "GUID of virtual function " + std::to_string(step.vf);
    for (const auto &[type, value] :
         {std::pair(IFLA_VF_IB_NODE_GUID, step.to.node), {IFLA_VF_IB_PORT_GUID, step.to.port}}) {
        const auto m = link_request(RTM_SETLINK, step.ifindex);
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
