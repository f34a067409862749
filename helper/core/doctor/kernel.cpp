// SPDX-License-Identifier: LGPL-2.1-or-later
// The kernel's log: what drivers and modules report once, and no file shows afterwards.
#include "core/base/text.hpp"
#include "core/doctor/diagnose.hpp"

#include <algorithm>
#include <string_view>

namespace nmib::layer
{

namespace
{
struct Pattern {
    const Kind *kind;
    std::string_view start, part, other{}; ///< the line begins with `start`, and has both other texts
    Severity severity = Severity::warning;
};
/// The first row that matches decides. Sources: drivers/net/ethernet/mellanox/mlx5/core/events.c, cmd.c, health.c;
/// mlx4/cmd.c, catas.c. Most commands that fail are a program's; those of the start are the driver's.
constexpr Pattern patterns[] = {
    {find_kind("modules-of-two-stacks"), "", "disagrees about version of symbol ib_"},
    {find_kind("modules-of-two-stacks"), "", "disagrees about version of symbol rdma_"},
    {find_kind("modules-of-two-stacks"), "", "disagrees about version of symbol mlx5_"},
    {find_kind("modules-of-two-stacks"), "", "Unknown symbol ib_"},
    {find_kind("modules-of-two-stacks"), "", "Unknown symbol rdma_"},
    {find_kind("module-not-signed"), "mlx", "is rejected"},
    {find_kind("module-not-signed"), "ib_", "is rejected"},
    {find_kind("module-not-signed"), "Lockdown: modprobe: unsigned module", ""},
    {find_kind("module-not-signed"), "Loading of unsigned module is rejected", ""},
    {find_kind("nfs-rdma-length"), "", "rpcrdma", "local length error"},
    {find_kind("nfs-rdma-length"), "", "RPC:", "local length error"},
    {find_kind("selinux-denied"), "", "avc:  denied", "comm=\"nm-ib"},
    {find_kind("selinux-denied"), "", "avc:  denied", "comm=\"10-nm-ib"},
    {find_kind("nfs-rdma-no-registration"), "", "rpcrdma: 'frwr' mode is not supported"},
    {find_kind("card-hot"), "mlx5_core ", "Port module event[error]", "High Temperature"},
    {find_kind("card-hot"), "mlx5_core ", "High temperature on sensors"},
    {find_kind("card-power"), "mlx5_core ", "Port module event[error]", "Power budget exceeded"},
    {find_kind("card-power-unclear"), "mlx5_core ", "Detected insufficient power on the PCIe slot", "", Severity::note},
    {find_kind("cable-fault"), "mlx5_core ", "Port module event[error]"},
    {find_kind("cable-unplugged"), "mlx5_core ", "Port module event", "Cable unplugged"},
    {find_kind("card-resources"), "mlx5_core ", "ALLOC_UAR(", "limits exceeded"},
    {find_kind("firmware-command-failed"), "mlx5_core ", "INIT_HCA(", "failed, status"},
    {find_kind("firmware-command-failed"), "mlx5_core ", "ENABLE_HCA(", "failed, status"},
    {find_kind("firmware-command-failed"), "mlx5_core ", "SET_HCA_CAP(", "failed, status"},
    {find_kind("firmware-command-failed"), "mlx5_core ", "QUERY_HCA_CAP(", "failed, status"},
    {find_kind("firmware-command-failed"), "mlx5_core ", "MANAGE_PAGES(", "failed, status"},
    {find_kind("firmware-command-failed"), "mlx5_core ", "timeout. Will cause a leak"},
    {find_kind("firmware-command-failed"), "mlx4_core ", "timed out (go bit"},
    {find_kind("firmware-fault"), "mlx5_core ", "device's health compromised"},
    {find_kind("firmware-fault"), "mlx5_core ", "assert_var[0]"},
    {find_kind("firmware-fault"), "mlx4_core ", "Internal error detected"},
};

bool has(const KernelLine &line, std::string_view text) { return line.text.find(text) != std::string::npos; }

const Pattern *pattern_of(const KernelLine &line)
{
    const auto *found = std::find_if(std::begin(patterns), std::end(patterns), [&](const Pattern &p) {
        return line.text.starts_with(p.start) && has(line, p.part) && has(line, p.other);
    });
    return found == std::end(patterns) || has(line, "permissive=1") ? nullptr : found;
}

const RdmaDevice *device_at(const Host &host, const std::string &address)
{
    for (const auto &device : host.devices)
        if (!address.empty() && device.bus == address) return &device;
    return nullptr;
}

bool is_wanted(const Host &host, const RdmaDevice *device)
{
    return device && std::any_of(device->ports.begin(), device->ports.end(), [&](const RdmaPort &port) {
               return host.wants(port) && port.state && *port.state == PortState::down;
           });
}

/// Returns true for a line of a module that the layer of modules reports.
bool is_of_missing_module(const Host &host, const std::string &line)
{
    const auto module = host.modules.find(line.substr(0, line.find(':')));
    return module != host.modules.end() && module->second.state == KernelModule::State::loadable;
}

/// The cage of a card: "0000:05:00.0 module 0".
std::string cage_of(const std::string &line, const std::string &address)
{
    const auto at = line.find(": module ");
    return at == line.npos ? address : address + " " + line.substr(at + 2, line.find(',', at) - at - 2);
}
} // namespace

std::string pci_address_in(std::string_view line)
{
    for (const auto &part : cut(line, " ,")) {
        auto address = part.ends_with(':') ? part.substr(0, part.size() - 1) : part;
        if (is_pci_address(address)) return address;
    }
    return {};
}

std::vector<Trouble> kernel(const Host &host)
{
    // One finding for each kind and card or cage, with the last line: a cable may have been plugged in again.
    std::map<std::pair<const Pattern *, std::string>, const KernelLine *> last;
    for (const auto &line : host.services.log) {
        const auto address = pci_address_in(line.text);
        const auto *device = device_at(host, address);
        if ((host.named && !device) || is_of_missing_module(host, line.text)) continue;
        if (device && (device->is_fabric_managed || !device->role_known)) continue; // it may refuse by design
        const auto cage = has(line, "Port module event") ? cage_of(line.text, address) : address;
        if (has(line, "Cable plugged") || has(line, "Cable unplugged"))
            std::erase_if(last, [&](const auto &entry) {
                const auto *kind = entry.first.first->kind;
                return entry.first.second == cage &&
                       (kind == find_kind("cable-fault") || kind == find_kind("cable-unplugged"));
            });
        if (const auto *pattern = pattern_of(line)) last[{pattern, cage}] = &line;
    }
    std::vector<Trouble> all;
    std::set<std::pair<const Kind *, std::string>> reported;
    for (const auto &pattern : patterns)
        for (const auto &[key, line] : last) {
            const auto address = pci_address_in(line->text);
            const auto *device = device_at(host, address);
            if (key.first != &pattern || !reported.insert({pattern.kind, key.second}).second) continue;
            if (pattern.kind == find_kind("cable-unplugged") && !is_wanted(host, device)) continue;
            // What the kernel refused may be a module that is missing.
            if (pattern.kind == find_kind("module-not-signed") && module(host).empty()) continue;
            all.push_back({.kind = pattern.kind,
                           .severity = pattern.severity,
                           .where = device            ? device->name
                                    : address.empty() ? "kernel"
                                                      : address,
                           .subject = address,
                           .value = line->text});
        }
    return all;
}

} // namespace nmib::layer
