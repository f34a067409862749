// SPDX-License-Identifier: LGPL-2.1-or-later
// The lowest layers: kernel modules, drivers, and which devices this process can see.
#include "core/base/text.hpp"
#include "core/doctor/diagnose.hpp"

#include <algorithm>

namespace nmib::layer
{

namespace
{
using Severity = Trouble::Severity;
using State = KernelModule::State;
constexpr Trouble::Kind kinds[] = {
    {"no-rdma-device", N_("{where}, an InfiniBand card with the driver {subject}, has no RDMA device"),
     N_("The module that makes the RDMA device is not loaded, or failed: there is no port and no interface."),
     Trouble::By::hands,
     N_("To load the module at each boot, add its name to a file in /etc/modules-load.d. To load the module now, "
        "and to see the kernel's reason if that fails"),
     "modprobe {value}\njournalctl -k -g {where}"},
    {"rdma-device-lost",
     N_("{where}, an InfiniBand card with the driver {subject}, has no RDMA device, although {value} is loaded"),
     N_("The card failed at the start, or was taken away after a fault: there is no port and no interface."),
     Trouble::By::hands,
     N_("If the log shows a fault, power the machine off and on, or update the firmware. To see the log"),
     "journalctl -k -b -g {where}"},
    {"no-ipoib-module", N_("the module ib_ipoib is not loaded; ports without an interface: {value}"),
     N_("The module makes the interfaces of InfiniBand ports (ib0)."), Trouble::By::fix,
     N_("To load the module at each boot as well, add its name to a file in /etc/modules-load.d. To load the module "
        "now"),
     "modprobe ib_ipoib"},
    {"no-umad-module", N_("the module ib_umad is not loaded"),
     N_("sminfo, ibportstate, opensm and nm-ib cannot query ports."), Trouble::By::fix,
     N_("To load the module at each boot as well, add its name to a file in /etc/modules-load.d. To load the module "
        "now"),
     "modprobe ib_umad"},
    {"no-driver", N_("{where} is an InfiniBand card without a driver"),
     N_("Without a driver there is no port and no interface."), Trouble::By::hands,
     N_("The driver is not loaded, or has logged why it refused the card. To load the driver, if it is known, and to "
        "see "
        "the log"),
     "modprobe {value}\njournalctl -k -g {where}"},
    {"no-driver-of-vendor", N_("{where} is an InfiniBand card without a driver, and the vendor's modules are loaded"),
     N_("The vendor's stack does not support older cards (ConnectX-3 and before), and its modules "
        "keep the kernel's modules out."),
     Trouble::By::hands,
     N_("Remove the vendor's stack, or put in a card that it knows; the kernel's own mlx4_core drives older cards")},
    {"profile-without-device", N_("no RDMA device found, and profiles wait for one: {value}"),
     N_("The machine does not see the card, or no driver knows it."), Trouble::By::hands,
     N_("The cards that the machine sees, and the log of their drivers"), "lspci -nn\njournalctl -k -b"},
    {"no-uverbs-module", N_("the module ib_uverbs is not loaded"),
     N_("Programs that use RDMA through libibverbs find no device."), Trouble::By::fix,
     N_("To load the module at each boot as well, add its name to a file in /etc/modules-load.d. To load the module "
        "now"),
     "modprobe -a ib_uverbs rdma_ucm"},
    {"no-ucm-module", N_("the module rdma_ucm is not loaded"),
     N_("Programs that connect through librdmacm find no device, and the RoCE version cannot be set."),
     Trouble::By::fix,
     N_("To load the module at each boot as well, add its name to a file in /etc/modules-load.d. To load the module "
        "now"),
     "modprobe rdma_ucm"},
    {"module-of-other-kernel", N_("the running kernel {subject} has no module {where}; these kernels have it: {value}"),
     N_("The modules of this kernel were removed by an update, or not installed."), Trouble::By::hands,
     N_("Reboot into an installed kernel, or install the modules of this kernel (kernel-modules on RHEL, "
        "linux-modules-extra on Ubuntu)")},
    {"module-not-built", N_("no installed kernel has the module {where}"),
     N_("A kernel for clouds or an own kernel can lack InfiniBand; on RHEL the package kernel-modules has the "
        "modules."),
     Trouble::By::hands, N_("Install the kernel or the package that has the module, then load the module")},
    {"module-refused", N_("the kernel refused the module {where}: {value}"),
     N_("The module is installed, but does not fit the kernel or the modules that are loaded."), Trouble::By::hands,
     N_("Install kernel, drivers and modules from one source. To repeat the attempt and see the reason"),
     "modprobe {where}\njournalctl -k -b -g {where}"},
    {"driver-failed", N_("{where}: the driver reports: {value}"),
     N_("Without the driver there is no port and no interface."), Trouble::By::hands,
     N_("Often the firmware is too old for the driver, or the machine gives the card too few resources. To see all "
        "lines"),
     "journalctl -k -b -g {where}"},
    {"devices-hidden", N_("the RDMA device of {where} belongs to another network namespace"),
     N_("The RDMA subsystem is in mode exclusive: each device is visible in one network namespace only."),
     Trouble::By::hands,
     N_("On the host, move the device here: rdma dev set DEVICE netns NAME. The mode shared (rdma system set netns "
        "shared) can be set only while no other network namespace exists, for example early at boot")},
};

/// InfiniBand profiles without an interface that connect automatically or that the command line names.
std::string waiting_profiles(const Host &host)
{
    std::string names;
    for (const auto &p : host.profiles)
        if (p.type == ProfileState::Type::infiniband && p.target == ProfileState::Target::none &&
            (p.autoconnect || host.named))
            names += (names.empty() ? "" : ", ") + p.id;
    return names;
}

bool reports_failure(std::string_view line)
{
    constexpr std::string_view words[] = {"fail",        "too old",     "unable",           "Unable",
                                          "cannot",      "not support", "rejected",         "abort",
                                          "timed out",   "timeout",     "pre-initializing", "Unknown symbol",
                                          "unsupported", "disagrees",   "version magic"};
    return line.find("module verification failed") == line.npos && // the module was loaded
           std::any_of(std::begin(words), std::end(words),
                       [&](std::string_view word) { return line.find(word) != line.npos; });
}

/// The first line of the kernel's log in which a module itself reports a failure: "ib_ipoib: ", "mlx5_core
/// 0000:05:00.0: ".
std::string failure_of(const Host &host, const std::string &start)
{
    for (const auto &line : host.services.log)
        if (line.text.starts_with(start) && reports_failure(line.text)) return line.text;
    return {};
}

/// The same for a card, from any driver of Mellanox cards.
std::string failure_at(const Host &host, const std::string &bus)
{
    for (const auto *driver : {"mlx5_core ", "mlx4_core "})
        if (auto line = failure_of(host, driver + bus); !line.empty()) return line;
    return {};
}

/// Returns why a module is missing; `absent` if it can be loaded; nullopt if it is loaded or unknown.
std::optional<Trouble> judge(const Host &host, const std::string &name, Trouble absent)
{
    const auto found = host.modules.find(name);
    if (found == host.modules.end()) return {};
    const auto &[state, kernels] = found->second;
    Trouble t{.severity = absent.severity, .where = name};
    auto line = state == State::loadable ? failure_of(host, name + ": ") : "";
    switch (state) {
    case State::loaded:
    case State::unknown: return {};
    case State::loadable:
        if (line.empty()) return absent;
        t.kind = find_kind(kinds, "module-refused"), t.value = std::move(line);
        return t;
    case State::other_kernel:
        t.kind = find_kind(kinds, "module-of-other-kernel");
        t.subject = host.kernel, t.value = kernels;
        return t;
    case State::missing: break;
    }
    t.kind = find_kind(kinds, "module-not-built");
    return t;
}

bool is_infiniband(const RdmaPort &port) { return port.layer && *port.layer == LinkLayer::infiniband; }

/// IPoIB is optional: MPI and storage can do without.
bool needs_ipoib(const Host &host)
{
    return host.named || std::any_of(host.profiles.begin(), host.profiles.end(),
                                     [](const ProfileState &p) { return p.type == ProfileState::Type::infiniband; });
}

void judge_modules(const Host &host, std::vector<Trouble> &all)
{
    std::string without;
    bool has_infiniband = false, has_device = false;
    for (const auto &device : host.devices) {
        has_device |= !device.is_fabric_managed;
        for (const auto &port : device.ports) {
            if (!is_infiniband(port) || device.is_fabric_managed) continue;
            has_infiniband = true;
            if (port.interfaces.empty()) without += (without.empty() ? "" : ", ") + device.label(port);
        }
    }
    const auto add = [&](const std::string &name, Trouble absent) {
        if (auto t = judge(host, name, std::move(absent))) all.push_back(std::move(*t));
    };
    if (!without.empty() && needs_ipoib(host))
        add("ib_ipoib", {.kind = find_kind(kinds, "no-ipoib-module"), .where = "ib_ipoib", .value = without});
    if (has_infiniband)
        add("ib_umad", {.kind = find_kind(kinds, "no-umad-module"), .severity = Severity::warning, .where = "ib_umad"});
    const auto before = all.size();
    if (has_device && host.has_verbs_library)
        add("ib_uverbs",
            {.kind = find_kind(kinds, "no-uverbs-module"), .severity = Severity::warning, .where = "ib_uverbs"});
    if (has_device && host.has_cm_library && all.size() == before) // rdma_ucm needs ib_uverbs
        add("rdma_ucm",
            {.kind = find_kind(kinds, "no-ucm-module"), .severity = Severity::warning, .where = "rdma_ucm"});
}

/// A card with a driver, and without an RDMA device.
Trouble judge_bare(const Host &host, const std::string &bus, const std::string &driver)
{
    const auto name = driver.substr(0, driver.find('_')) + "_ib"; // mlx5_core: mlx5_ib
    const auto module = host.modules.find(name);
    const bool is_loaded = module != host.modules.end() && module->second.state == State::loaded;
    if (host.exclusive_devices && is_loaded) return {.kind = find_kind(kinds, "devices-hidden"), .where = bus};
    if (auto line = failure_at(host, bus); !line.empty())
        return {.kind = find_kind(kinds, "driver-failed"), .where = bus, .subject = driver, .value = std::move(line)};
    Trouble absent{.kind = is_loaded ? find_kind(kinds, "rdma-device-lost") : find_kind(kinds, "no-rdma-device"),
                   .where = bus,
                   .subject = driver,
                   .value = name};
    auto t = judge(host, name, absent);
    return t ? *t : absent;
}

Trouble judge_unbound(const Host &host, const std::string &bus, const std::string &driver)
{
    if (host.has_vendor_stack) return {.kind = find_kind(kinds, "no-driver-of-vendor"), .where = bus};
    if (auto line = failure_at(host, bus); !line.empty())
        return {.kind = find_kind(kinds, "driver-failed"), .where = bus, .value = std::move(line)};
    Trouble absent{.kind = find_kind(kinds, "no-driver"), .where = bus, .value = driver};
    if (driver.empty()) absent.commands = {{{"journalctl", "-k", "-g", bus}}};
    return judge(host, driver, absent).value_or(absent);
}
} // namespace

const std::span<const Trouble::Kind> module_kinds = kinds;

std::vector<Trouble> module(const Host &host)
{
    std::vector<Trouble> all;
    for (const auto &[bus, driver] : host.bare_functions) all.push_back(judge_bare(host, bus, driver));
    for (const auto &[bus, driver] : host.unbound_functions) all.push_back(judge_unbound(host, bus, driver));
    if (!host.has_device && all.empty())
        if (auto names = waiting_profiles(host); !names.empty())
            all.push_back({.kind = find_kind(kinds, "profile-without-device"), .value = std::move(names)});
    judge_modules(host, all);
    return all;
}

} // namespace nmib::layer
