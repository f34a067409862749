// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/doctor/diagnose.hpp"

namespace nmib::layer
{

namespace
{
constexpr Trouble::Kind kinds[] = {
    {"no-rdma-device", N_("{where} is an InfiniBand card under {subject}, and has no RDMA device"),
     N_("The module that makes one of it is not loaded, or found a fault: no port, no interface."), Trouble::By::hands,
     N_("To load the module at each boot: nm-ib host modules auto. Now, and the kernel's reason if that is not enough"),
     "modprobe {value}\njournalctl -k -g {where}"},
    {"no-ipoib-module", N_("{where} has no interface: the module ib_ipoib is not loaded"),
     N_("It makes ib0 and its kin of InfiniBand ports."), Trouble::By::fix,
     N_("To load the module at each boot as well: nm-ib host modules auto. Now"), "modprobe ib_ipoib"},
    {"no-umad-module", N_("the module ib_umad is not loaded"),
     N_("sminfo, ibportstate, opensm and nm-ib cannot ask ports for anything."), Trouble::By::fix,
     N_("To load the module at each boot as well: nm-ib host modules auto. Now"), "modprobe ib_umad"},
    {"no-driver", N_("{where} is an InfiniBand card that no driver has taken"),
     N_("Without one there is neither port nor interface."), Trouble::By::hands,
     N_("The kernel's own drivers are mlx4_core and mlx5_core. A driver that tried has logged the reason"),
     "journalctl -k -g {where}"},
    {"no-driver-of-vendor",
     N_("{where} is an InfiniBand card that no driver has taken, and the vendor's modules are loaded"),
     N_("The vendor's stack has dropped older cards (ConnectX-3 and before), and its modules keep the kernel's out."),
     Trouble::By::hands,
     N_("Remove the vendor's stack, or put in a card that it knows; the kernel's own mlx4_core drives older cards")},
    {"profile-without-device", N_("there is no RDMA device, and profiles wait for one: {value}"),
     N_("The machine does not see the card, or no driver knows it."), Trouble::By::hands,
     N_("The cards that the machine sees, and the log of their drivers"), "lspci -nn\njournalctl -k -b"},
};

/// The InfiniBand profiles that connect by themselves, or that the command line names.
std::string waiting_profiles(const Host &host)
{
    std::string names;
    for (const auto &p : host.profiles)
        if (p.type == ProfileState::Type::infiniband && p.target == ProfileState::Target::none &&
            (p.autoconnect || host.named))
            names += (names.empty() ? "" : ", ") + p.id;
    return names;
}
} // namespace

const std::span<const Trouble::Kind> module_kinds = kinds;

std::vector<Trouble> module(const Host &host)
{
    std::vector<Trouble> all;
    for (const auto &[bus, driver] : host.bare_functions) {
        const auto name = driver.substr(0, driver.find('_')) + "_ib"; // mlx5_core: mlx5_ib
        all.push_back({.kind = &kinds[0], .where = bus, .subject = driver, .value = name});
    }
    for (const auto &bus : host.unbound_functions)
        all.push_back({.kind = &kinds[host.has_vendor_stack ? 4 : 3], .where = bus});
    if (!host.has_device && all.empty())
        if (auto names = waiting_profiles(host); !names.empty())
            all.push_back({.kind = &kinds[5], .value = std::move(names)});
    bool is_infiniband = false;
    for (const auto &device : host.devices)
        for (const auto &port : device.ports) is_infiniband |= port.layer && *port.layer == LinkLayer::infiniband;
    if (is_infiniband && !host.has_umad)
        all.push_back({.kind = &kinds[2], .severity = Trouble::Severity::warning, .where = "ib_umad"});
    return all;
}

std::optional<Trouble> module(const Host &host, const RdmaDevice &device, const RdmaPort &port)
{
    if (!port.interfaces.empty() || host.has_ipoib) return {};
    return Trouble{.kind = &kinds[1], .where = device.label(port)};
}

} // namespace nmib::layer
