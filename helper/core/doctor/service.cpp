// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/doctor/diagnose.hpp"
#include "core/doctor/known_fault.hpp"

#include <algorithm>
#include <limits>
#include <string_view>

namespace nmib::layer
{

namespace
{
std::string seconds(std::uint64_t usec) { return std::to_string((usec + 500'000) / 1'000'000); }

std::optional<std::uint64_t> first_carrier(const std::vector<KernelLine> &log, const std::string &interface)
{
    for (const auto &line : log)
        if (line.text.find(" " + interface + ": link becomes ready") != std::string::npos) return line.usec;
    return {};
}

bool starts_at_boot(const Host &host, const std::string &interface)
{
    return std::any_of(host.profiles.begin(), host.profiles.end(),
                       [&](const ProfileState &p) { return p.interface == interface && p.autoconnect; });
}

} // namespace

std::vector<Trouble> service(const Host &host)
{
    std::vector<Trouble> all;
    const auto &s = host.services;
    const auto add = [&](const Kind *kind, Severity severity, std::string where = {},
                         std::string value = {}) -> Trouble & {
        return all.emplace_back(
            Trouble{.kind = kind, .severity = severity, .where = std::move(where), .value = std::move(value)});
    };
    if (s.daemon_stopped) add(find_kind("networkmanager-stopped"), Severity::error, "NetworkManager.service");
    if (s.plugin_installed && !s.plugin_loaded)
        add(find_kind("plugin-not-loaded"), Severity::warning, "NetworkManager");
    if (s.plugin_replaced) add(find_kind("plugin-older"), Severity::warning, "NetworkManager");
    if (!s.missing_dispatcher.empty()) add(find_kind("dispatcher-missing"), Severity::error, s.missing_dispatcher);
    if (!s.refused_dispatcher.empty()) add(find_kind("dispatcher-refused"), Severity::error, s.refused_dispatcher);
    for (const auto &[path, type] : s.mislabelled) add(find_kind("selinux-label"), Severity::error, path, type);
    for (const auto &name : s.networkd)
        if (s.managed.contains(name)) add(find_kind("two-managers"), Severity::error, name);
    if (s.openibd && !s.managed.empty()) add(find_kind("openibd-too"), Severity::warning, "openibd");
    for (const auto &unit : s.failed_units) add(find_kind("unit-failed"), Severity::error, unit);
    for (const auto &name : host.wanted) {
        constexpr std::uint64_t second = 1'000'000; // a carrier of much later has other causes than the boot
        const auto ready = s.wait_online_end && starts_at_boot(host, name) ? first_carrier(s.log, name) : std::nullopt;
        if (ready && *ready > *s.wait_online_end + second && *ready < *s.wait_online_end + 300 * second)
            add(find_kind("wait-online-early"), Severity::warning, name, seconds(*ready - *s.wait_online_end));
    }
    for (const auto &[fault, version] : faults_of(host)) {
        auto &t = add(find_kind("known-fault"), Severity::warning, std::string(fault->program));
        t.values = {{"version", version}, {"fault", Message{fault->text}}, {"source", std::string(fault->source)}};
    }
    constexpr std::uint64_t enough = 64ULL << 20; // a smaller limit is a default, not a decision
    for (const auto &l : s.limits) {
        if (l.bytes >= enough) continue;
        auto &t = add(find_kind("memlock-small"), Severity::warning, l.name);
        t.values = {{"size", std::to_string(l.bytes >> 10)},
                    {"setting", l.configured.empty() ? Message{}
                                                     : Message{N_(" (LimitMEMLOCK of the unit: {configured})"),
                                                               {{"configured", l.configured}}}}};
        t.subject = std::to_string(l.pid) + (l.unit.empty() ? "" : ", " + l.unit);
        const bool is_service = l.unit.ends_with(".service") && !l.unit.starts_with("user@");
        t.commands.emplace();
        if (!host.container.empty()) continue; // the limit comes from the host: docker run --ulimit memlock=-1
        if (is_service)
            t.commands = {{"systemctl", "edit", l.unit}, {"systemctl", "restart", l.unit}};
        else
            t.commands = {{"nm-ib", "host", "memlock", "@rdma", "unlimited"}};
    }
    return all;
}

} // namespace nmib::layer
