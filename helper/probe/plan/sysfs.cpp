// SPDX-License-Identifier: LGPL-2.1-or-later
#include "probe/plan/sysfs.hpp"

#include "core/base/text.hpp"
#include "probe/port/attribute.hpp"

namespace nmib
{

using namespace attribute;

namespace
{
/// Returns true for one path component, like an RDMA device or a P_Key index.
bool is_plain(std::string_view name) noexcept
{
    return !name.empty() && name.size() < 64 && name != "." && name != ".." && name.find('/') == std::string_view::npos;
}

Result<void> read_pci(const Dir &function, RdmaDevice &device)
{
    const Read<std::string> driver = function.symlink_name("driver");
    if (driver.failed()) return driver.error();
    if (driver) device.driver = *driver;
    device.pci_id = pci_id(function);
    if (device.pci_id.failed()) return device.pci_id.error();
    if (device.pci_id) device.pci_revision = needed(hexadecimal(function, "revision", 0xff));
    return device.pci_revision.failed() ? Result<void>(device.pci_revision.error()) : Result<void>();
}

/// Reads the only RDMA device of `function`, and its driver's revision.
Result<void> read_rdma(const Dir &function, RdmaDevice &device)
{
    const auto rdma = function.sub("infiniband");
    if (!rdma) return not_absent(rdma.error());
    const auto names = rdma->list(16);
    if (!names) return not_absent(names.error());
    if (names->size() != 1 || !is_plain(names->front()))
        return Error{Error::Kind::invalid, rdma->path() + ": not one RDMA device but " + std::to_string(names->size())};
    device.name = names->front();
    device.hw_rev = value<std::string>(*rdma, device.name + "/hw_rev", [](std::string_view text) {
        return parse_hex(text, UINT32_MAX) ? std::optional(text) : std::nullopt;
    });
    return device.hw_rev.failed() ? Result<void>(device.hw_rev.error()) : Result<void>();
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

Result<RdmaDevice> Sysfs::device(const IfName &link, int ifindex) const
{
    // Both from the root, because the `device` link leaves the interface's directory.
    const auto net = root_.sub("class/net/" + link.str());
    if (!net) return not_absent(net.error());
    const auto function = root_.sub("class/net/" + link.str() + "/device");
    const auto whose = needed(decimal(*net, "ifindex", INT32_MAX));
    if (!whose) return whose.error();
    if (*whose != static_cast<unsigned>(ifindex))
        return Error{Error::Kind::invalid, net->path() + ": the interface was replaced meanwhile"};
    if (!function) return function.error();

    RdmaDevice device;
    if (const auto r = read_pci(*function, device); !r) return r.error();
    if (const auto r = read_rdma(*function, device); !r) return r.error();
    // dev_port counts from 0; reading dev_id makes the kernel complain (ipoib_main.c, dev_id_show).
    const auto port = needed(decimal(*net, "dev_port", 254));
    if (!port) return port.error();
    device.ports.push_back({.number = *port + 1});
    return device;
}

Read<unsigned> Sysfs::sm_lid(const std::string &hca, unsigned port) const
{
    if (!is_plain(hca)) return Error{Error::Kind::invalid, "RDMA device name"};
    return hexadecimal(root_, port_path(hca, port) + "/sm_lid", 0xffff);
}

Read<std::vector<PKeyEntry>> Sysfs::pkeys(const std::string &hca, unsigned port) const
{
    if (!is_plain(hca)) return Error{Error::Kind::invalid, "RDMA device name"};
    return root_.sub(port_path(hca, port) + "/pkeys").and_then(read_pkeys);
}

} // namespace nmib
