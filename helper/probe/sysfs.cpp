// SPDX-License-Identifier: LGPL-2.1-or-later
#include "probe/sysfs.hpp"

#include "core/number.hpp"

#include <algorithm>

namespace nmib
{

namespace
{
std::optional<std::uint64_t> number(const Dir &dir, const std::string &file, std::uint64_t max,
                                    std::optional<std::uint64_t> (*parse)(std::string_view, std::uint64_t))
{
    const auto text = dir.read(file, 64);
    return text ? parse(trim(*text), max) : std::nullopt;
}
std::string port_path(const std::string &hca, unsigned number)
{
    return "class/infiniband/" + hca + "/ports/" + std::to_string(number);
}
/// A name that is one component of a path, as RDMA devices and P_Key indices are.
bool is_plain(std::string_view name) noexcept
{
    return !name.empty() && name.size() < 64 && name != "." && name != ".." && name.find('/') == std::string_view::npos;
}
} // namespace

Result<Sysfs> Sysfs::open(const std::string &root)
{
    auto dir = Dir::open(root);
    if (!dir) return dir.error();
    return Sysfs(std::move(*dir));
}

Result<bool> Sysfs::has_mode_file(const IfName &link, int ifindex) const
{
    const auto dir = root_.sub("class/net/" + link.str());
    const auto text = dir ? dir->read("ifindex", 64) : Result<std::string>(dir.error());
    if (!text && text.error().kind != Error::Kind::absent) return text.error();
    if (!text || parse_decimal(trim(*text), INT32_MAX) != static_cast<std::uint64_t>(ifindex)) return false;
    return dir->exists("mode");
}

Result<PortRow> Sysfs::port(const IfName &link) const
{
    // Both from the root: the `device` link climbs out of the interface's own directory.
    const auto net = root_.sub("class/net/" + link.str());
    if (!net) return net.error();
    const auto device = root_.sub("class/net/" + link.str() + "/device");
    if (!device) return device.error();
    const auto rdma = device->sub("infiniband");
    if (!rdma) return rdma.error();
    const auto names = rdma->list(16);
    if (!names) return names.error();
    if (names->size() != 1 || !is_plain(names->front()))
        return Error{Error::Kind::invalid, rdma->path() + ": not one RDMA device but " + std::to_string(names->size())};

    PortRow row;
    row.hca.name = names->front();
    if (const auto driver = device->link_name("driver")) row.hca.driver = *driver;
    row.hca.vendor = static_cast<std::uint16_t>(number(*device, "vendor", 0xffff, parse_hex).value_or(0));
    row.hca.device = static_cast<std::uint16_t>(number(*device, "device", 0xffff, parse_hex).value_or(0));
    row.hca.pci_revision = static_cast<std::uint8_t>(number(*device, "revision", 0xff, parse_hex).value_or(0));
    // dev_port counts from 0; dev_id would make the kernel complain (ipoib_main.c, dev_id_show).
    row.port.number = static_cast<unsigned>(number(*net, "dev_port", 254, parse_decimal).value_or(0) + 1);
    if (const auto dev = rdma->sub(row.hca.name))
        if (const auto rev = number(*dev, "hw_rev", UINT32_MAX, parse_hex))
            row.hca.hw_rev = static_cast<std::uint32_t>(*rev);
    (void)refresh(row);
    return row;
}

bool Sysfs::refresh(PortRow &row) const
{
    const auto port = root_.sub(port_path(row.hca.name, row.port.number));
    row.port.sm_lid =
        port ? static_cast<std::uint16_t>(number(*port, "sm_lid", 0xffff, parse_hex).value_or(0)) : std::uint16_t{0};
    return static_cast<bool>(port);
}

Result<std::vector<std::uint16_t>> Sysfs::pkeys(const std::string &hca, unsigned port) const
{
    if (!is_plain(hca)) return Error{Error::Kind::invalid, "RDMA device name"};
    const auto dir = root_.sub(port_path(hca, port) + "/pkeys");
    if (!dir) return dir.error();
    // The indices need not be dense: only what is there is read.
    const auto names = dir->list();
    if (!names) return names.error();
    std::vector<std::uint16_t> keys;
    for (const auto &name : *names) {
        if (!parse_decimal(name, 0xffff)) continue;
        if (const auto key = number(*dir, name, 0xffff, parse_hex); key && *key != 0)
            keys.push_back(static_cast<std::uint16_t>(*key));
    }
    return keys;
}

} // namespace nmib
