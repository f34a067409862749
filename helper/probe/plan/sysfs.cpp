// SPDX-License-Identifier: LGPL-2.1-or-later
#include "probe/plan/sysfs.hpp"

#include "core/base/text.hpp"

#include <algorithm>

namespace nmib
{

namespace
{
/// Returns true for one path component, like an RDMA device or a P_Key index.
bool is_plain(std::string_view name) noexcept
{
    return !name.empty() && name.size() < 64 && name != "." && name != ".." && name.find('/') == std::string_view::npos;
}

using Parse = std::optional<std::uint64_t> (*)(std::string_view, std::uint64_t);

Result<std::uint64_t> number(const Dir &dir, const std::string &file, std::uint64_t max, Parse parse)
{
    const auto text = dir.read(file, 64);
    if (!text) return text.error();
    if (const auto n = parse(trim(*text), max)) return *n;
    return Error{Error::Kind::invalid, dir.path() + "/" + file + ": not a number up to " + std::to_string(max)};
}
/// A missing file of an existing device is an I/O error, not "absent".
Error not_absent(Error error)
{
    if (error.kind == Error::Kind::absent) error.kind = Error::Kind::io;
    return error;
}

Result<void> read_pci(const Dir &device, Hca &hca)
{
    const auto vendor = number(device, "vendor", 0xffff, parse_hex);
    if (!vendor && vendor.error().kind == Error::Kind::absent) return {};
    if (!vendor) return vendor.error();
    const auto id = number(device, "device", 0xffff, parse_hex);
    if (!id) return id.error();
    const auto revision = number(device, "revision", 0xff, parse_hex);
    if (!revision) return revision.error();
    hca.vendor = static_cast<std::uint16_t>(*vendor);
    hca.device = static_cast<std::uint16_t>(*id);
    hca.pci_revision = static_cast<std::uint8_t>(*revision);
    return {};
}

/// Reads the only RDMA device of `device`, and its driver's revision.
Result<void> read_rdma(const Dir &device, Hca &hca)
{
    const auto rdma = device.sub("infiniband");
    if (!rdma) return rdma.error();
    const auto names = rdma->list(16);
    if (!names) return names.error();
    if (names->size() != 1 || !is_plain(names->front()))
        return Error{Error::Kind::invalid, rdma->path() + ": not one RDMA device but " + std::to_string(names->size())};
    hca.name = names->front();
    const auto revision = number(*rdma, hca.name + "/hw_rev", UINT32_MAX, parse_hex);
    if (revision)
        hca.hw_rev = static_cast<std::uint32_t>(*revision);
    else if (revision.error().kind != Error::Kind::absent)
        return revision.error();
    return {};
}

std::string port_path(const std::string &hca, unsigned number)
{
    return "class/infiniband/" + hca + "/ports/" + std::to_string(number);
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
    const auto text = dir.and_then([&](auto &d) { return d.read("ifindex", 64); });
    if (!text && text.error().kind != Error::Kind::absent) return text.error();
    if (!text || parse_decimal(trim(*text), INT32_MAX) != static_cast<std::uint64_t>(ifindex)) return false;
    return dir->exists("mode");
}

Result<PortRow> Sysfs::port(const IfName &link, int ifindex) const
{
    // Both from the root, because the `device` link leaves the interface's directory.
    const auto net = root_.sub("class/net/" + link.str());
    if (!net) return not_absent(net.error());
    const auto device = root_.sub("class/net/" + link.str() + "/device");
    const auto whose = number(*net, "ifindex", INT32_MAX, parse_decimal);
    if (!whose) return not_absent(whose.error());
    if (*whose != static_cast<std::uint64_t>(ifindex))
        return Error{Error::Kind::invalid, net->path() + ": the interface was replaced meanwhile"};
    if (!device) return device.error();

    PortRow row;
    const auto driver = device->symlink_name("driver");
    if (driver)
        row.hca.driver = *driver;
    else if (driver.error().kind != Error::Kind::absent)
        return driver.error();
    if (auto r = read_pci(*device, row.hca); !r) return not_absent(r.error());
    if (auto r = read_rdma(*device, row.hca); !r) return not_absent(r.error());
    // dev_port counts from 0; reading dev_id makes the kernel complain (ipoib_main.c, dev_id_show).
    const auto port = number(*net, "dev_port", 254, parse_decimal);
    if (!port) return not_absent(port.error());
    row.port.number = static_cast<unsigned>(*port + 1);
    const auto lid = number(root_, port_path(row.hca.name, row.port.number) + "/sm_lid", 0xffff, parse_hex);
    row.port.sm_lid = lid ? std::optional(static_cast<std::uint16_t>(*lid)) : std::nullopt;
    return row;
}

Result<std::vector<PKey>> Sysfs::pkeys(const std::string &hca, unsigned port) const
{
    if (!is_plain(hca)) return Error{Error::Kind::invalid, "RDMA device name"};
    const auto dir = root_.sub(port_path(hca, port) + "/pkeys");
    if (!dir) return dir.error();
    // The indices may have gaps: only existing files are read.
    const auto names = dir->list();
    if (!names) return names.error();
    std::vector<PKey> keys;
    for (const auto &name : *names) {
        if (!parse_decimal(name, 0xffff)) continue;
        const auto value = number(*dir, name, 0xffff, parse_hex);
        if (const auto key = value ? PKey::from(static_cast<std::uint32_t>(*value)) : std::nullopt)
            keys.push_back(*key);
    }
    return keys;
}

} // namespace nmib
