// SPDX-License-Identifier: LGPL-2.1-or-later
// The lowest layers: kernel modules, drivers, and which devices this process can see.
#include "core/base/text.hpp"
#include "core/doctor/diagnose.hpp"

#include <algorithm>

namespace nmib::layer
{

namespace
{
using State = KernelModule::State;
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
        t.kind = find_kind("module-refused"), t.value = std::move(line);
        return t;
    case State::other_kernel:
        t.kind = find_kind("module-of-other-kernel");
        t.subject = host.kernel, t.value = kernels;
        return t;
    case State::missing: break;
    }
    t.kind = find_kind("module-not-built");
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
        add("ib_ipoib", {.kind = find_kind("no-ipoib-module"), .where = "ib_ipoib", .value = without});
    if (has_infiniband)
        add("ib_umad", {.kind = find_kind("no-umad-module"), .severity = Severity::warning, .where = "ib_umad"});
    const auto before = all.size();
    if (has_device && host.has_verbs_library)
        add("ib_uverbs", {.kind = find_kind("no-uverbs-module"), .severity = Severity::warning, .where = "ib_uverbs"});
    if (has_device && host.has_cm_library && all.size() == before) // rdma_ucm needs ib_uverbs
        add("rdma_ucm", {.kind = find_kind("no-ucm-module"), .severity = Severity::warning, .where = "rdma_ucm"});
}

/// A card with a driver, and without an RDMA device.
Trouble judge_bare(const Host &host, const std::string &bus, const std::string &driver)
{
    const auto name = driver.substr(0, driver.find('_')) + "_ib"; // mlx5_core: mlx5_ib
    const auto module = host.modules.find(name);
    const bool is_loaded = module != host.modules.end() && module->second.state == State::loaded;
    if (host.exclusive_devices && is_loaded) return {.kind = find_kind("devices-hidden"), .where = bus};
    if (auto line = failure_at(host, bus); !line.empty())
        return {.kind = find_kind("driver-failed"), .where = bus, .subject = driver, .value = std::move(line)};
    Trouble absent{.kind = is_loaded ? find_kind("rdma-device-lost") : find_kind("no-rdma-device"),
                   .where = bus,
                   .subject = driver,
                   .value = name};
    auto t = judge(host, name, absent);
    return t ? *t : absent;
}

Trouble judge_unbound(const Host &host, const std::string &bus, const std::string &driver)
{
    if (host.has_vendor_stack) return {.kind = find_kind("no-driver-of-vendor"), .where = bus};
    if (auto line = failure_at(host, bus); !line.empty())
        return {.kind = find_kind("driver-failed"), .where = bus, .value = std::move(line)};
    Trouble absent{.kind = find_kind("no-driver"), .where = bus, .value = driver};
    if (driver.empty()) absent.commands = {{{"journalctl", "-k", "-g", bus}}};
    return judge(host, driver, absent).value_or(absent);
}
} // namespace

std::vector<Trouble> module(const Host &host)
{
    std::vector<Trouble> all;
    for (const auto &[bus, driver] : host.bare_functions) all.push_back(judge_bare(host, bus, driver));
    for (const auto &[bus, driver] : host.unbound_functions) all.push_back(judge_unbound(host, bus, driver));
    if (!host.has_device && all.empty())
        if (auto names = waiting_profiles(host); !names.empty())
            all.push_back({.kind = find_kind("profile-without-device"), .value = std::move(names)});
    judge_modules(host, all);
    return all;
}

} // namespace nmib::layer
