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
using Severity = Trouble::Severity;
constexpr Trouble::Kind kinds[] = {
    {"modules-of-two-stacks", N_("the kernel refused a module: {value}"),
     N_("The module was built for another RDMA stack than the loaded stack (the kernel's and the "
        "vendor's stack do not mix)."),
     Trouble::By::hands, N_("Build the module again for the loaded stack, or remove the vendor's stack")},
    {"module-not-signed", N_("the kernel refused a module: {value}"),
     N_("With Secure Boot the kernel loads signed modules only. Modules that dkms builds are not signed."),
     Trouble::By::hands, N_("mokutil --import the key of dkms and reboot; or use the kernel's own drivers")},
    {"nfs-rdma-length", N_("kernel log: {value}"),
     N_("In some kernels, NFS version 4 over RDMA sends more than the other end accepts."), Trouble::By::hands,
     N_("Mount with vers=3, or install a newer kernel at both ends")},
    {"selinux-denied", N_("kernel log: {value}"),
     N_("SELinux denied this to the dispatcher helper or to nm-ib, and the denied change is not made."),
     Trouble::By::hands,
     N_("Restore the labels. If the denial comes again, the policy lacks a rule, which the log shows"),
     "restorecon -RF /usr/lib/NetworkManager /usr/libexec/nm-infiniband /run/NetworkManager\njournalctl -k -b -g avc"},
    {"nfs-rdma-no-registration", N_("kernel log: {value}"),
     N_("NFS over RDMA needs a card that registers memory fast (frwr); mounts through another card "
        "end with 'access denied by server'."),
     Trouble::By::hands,
     N_("Mount without rdma, or through another card; software HCAs: rdma.soft-rdma rxe in the profile")},
    {"card-hot", N_("{where} reported a high temperature: {value}"),
     N_("A hot card or transceiver loses its link; in the end the card turns itself off."), Trouble::By::hands,
     N_("Check fans and airflow; an optical cable needs more cooling than a copper one. The present temperature"),
     "sensors"},
    {"card-power", N_("{where} refused a transceiver for its power: {value}"),
     N_("The transceiver needs more power than the slot of the card offers, and stays off."), Trouble::By::hands,
     N_("Use a cable of a lower power class, or a card that supplies enough power for this one")},
    {"card-power-unclear", N_("{where} reports too little power of its PCI slot: {value}"),
     N_("Many machines announce no power for a slot. This matters only if a link fails, too."), Trouble::By::hands,
     N_("Nothing, if all ports work; otherwise use another slot")},
    {"cable-fault", N_("{where} reports a fault of its cable: {value}"),
     N_("The card cannot read the cable or does not accept it: the port stays down, or runs slowly."),
     Trouble::By::hands, N_("Put the plug in again, or use a cable on the vendor's list for this card")},
    {"cable-unplugged", N_("{where} reports that its cable was unplugged: {value}"),
     N_("A profile needs the port, and the last event is that the cable was unplugged."), Trouble::By::hands,
     N_("Plug in the cable")},
    {"firmware-command-failed", N_("{where}: a firmware command failed: {value}"),
     N_("Driver and firmware do not agree, or the firmware no longer answers; functions of the card may be missing."),
     Trouble::By::hands, N_("Update firmware and driver together. To see all lines of the card"),
     "journalctl -k -b -g {subject}"},
    {"card-resources", N_("{where} has no more resources for programs: {value}"),
     N_("Each program that opens the card needs a page of the card's memory (UAR); the firmware limits their number."),
     Trouble::By::hands, N_("Raise PF_LOG_BAR_SIZE with mlxconfig and reboot, or run fewer processes on the card")},
    {"firmware-fault", N_("{where}: its firmware reports a fault: {value}"),
     N_("The driver resets the card or gives the card up: ports go down, and may not come back."), Trouble::By::hands,
     N_("Reboot, or power the machine off and on; if the fault returns, update the firmware or replace the card"),
     "journalctl -k -b -g {subject}"},
};

struct Pattern {
    const Trouble::Kind *kind;
    std::string_view start, part, other{}; ///< the line begins with `start`, and has both other texts
    Severity severity = Severity::warning;
};
/// The first row that matches decides. Sources: drivers/net/ethernet/mellanox/mlx5/core/events.c, cmd.c, health.c;
/// mlx4/cmd.c, catas.c. Most commands that fail are a program's; those of the start are the driver's.
constexpr Pattern patterns[] = {
    {find_kind(kinds, "modules-of-two-stacks"), "", "disagrees about version of symbol ib_"},
    {find_kind(kinds, "modules-of-two-stacks"), "", "disagrees about version of symbol rdma_"},
    {find_kind(kinds, "modules-of-two-stacks"), "", "disagrees about version of symbol mlx5_"},
    {find_kind(kinds, "modules-of-two-stacks"), "", "Unknown symbol ib_"},
    {find_kind(kinds, "modules-of-two-stacks"), "", "Unknown symbol rdma_"},
    {find_kind(kinds, "module-not-signed"), "mlx", "is rejected"},
    {find_kind(kinds, "module-not-signed"), "ib_", "is rejected"},
    {find_kind(kinds, "module-not-signed"), "Lockdown: modprobe: unsigned module", ""},
    {find_kind(kinds, "module-not-signed"), "Loading of unsigned module is rejected", ""},
    {find_kind(kinds, "nfs-rdma-length"), "", "rpcrdma", "local length error"},
    {find_kind(kinds, "nfs-rdma-length"), "", "RPC:", "local length error"},
    {find_kind(kinds, "selinux-denied"), "", "avc:  denied", "comm=\"nm-ib"},
    {find_kind(kinds, "selinux-denied"), "", "avc:  denied", "comm=\"10-nm-ib"},
    {find_kind(kinds, "nfs-rdma-no-registration"), "", "rpcrdma: 'frwr' mode is not supported"},
    {find_kind(kinds, "card-hot"), "mlx5_core ", "Port module event[error]", "High Temperature"},
    {find_kind(kinds, "card-hot"), "mlx5_core ", "High temperature on sensors"},
    {find_kind(kinds, "card-power"), "mlx5_core ", "Port module event[error]", "Power budget exceeded"},
    {find_kind(kinds, "card-power-unclear"), "mlx5_core ", "Detected insufficient power on the PCIe slot", "",
     Severity::note},
    {find_kind(kinds, "cable-fault"), "mlx5_core ", "Port module event[error]"},
    {find_kind(kinds, "cable-unplugged"), "mlx5_core ", "Port module event", "Cable unplugged"},
    {find_kind(kinds, "card-resources"), "mlx5_core ", "ALLOC_UAR(", "limits exceeded"},
    {find_kind(kinds, "firmware-command-failed"), "mlx5_core ", "INIT_HCA(", "failed, status"},
    {find_kind(kinds, "firmware-command-failed"), "mlx5_core ", "ENABLE_HCA(", "failed, status"},
    {find_kind(kinds, "firmware-command-failed"), "mlx5_core ", "SET_HCA_CAP(", "failed, status"},
    {find_kind(kinds, "firmware-command-failed"), "mlx5_core ", "QUERY_HCA_CAP(", "failed, status"},
    {find_kind(kinds, "firmware-command-failed"), "mlx5_core ", "MANAGE_PAGES(", "failed, status"},
    {find_kind(kinds, "firmware-command-failed"), "mlx5_core ", "timeout. Will cause a leak"},
    {find_kind(kinds, "firmware-command-failed"), "mlx4_core ", "timed out (go bit"},
    {find_kind(kinds, "firmware-fault"), "mlx5_core ", "device's health compromised"},
    {find_kind(kinds, "firmware-fault"), "mlx5_core ", "assert_var[0]"},
    {find_kind(kinds, "firmware-fault"), "mlx4_core ", "Internal error detected"},
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

const std::span<const Trouble::Kind> kernel_kinds = kinds;

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
                const auto id = entry.first.first->kind->id;
                return entry.first.second == cage && (id == "cable-fault" || id == "cable-unplugged");
            });
        if (const auto *pattern = pattern_of(line)) last[{pattern, cage}] = &line;
    }
    std::vector<Trouble> all;
    std::set<std::pair<const Trouble::Kind *, std::string>> reported;
    for (const auto &pattern : patterns)
        for (const auto &[key, line] : last) {
            const auto address = pci_address_in(line->text);
            const auto *device = device_at(host, address);
            if (key.first != &pattern || !reported.insert({pattern.kind, key.second}).second) continue;
            if (pattern.kind->id == "cable-unplugged" && !is_wanted(host, device)) continue;
            // What the kernel refused may be a module that is missing.
            if (pattern.kind->id == "module-not-signed" && module(host).empty()) continue;
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
