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
using Severity = Trouble::Severity;
constexpr Trouble::Kind kinds[] = {
    {"networkmanager-stopped", N_("{where} is enabled, but not running"),
     N_("Interfaces keep their settings, but no program activates a profile or renews a lease."), Trouble::By::hands,
     N_("The log has the reason; then start the daemon"),
     "journalctl -b -u NetworkManager\nsystemctl start NetworkManager"},
    {"plugin-not-loaded", N_("the device plugin is installed, and the running NetworkManager has not loaded it"),
     N_("Without the plugin, NetworkManager fails if the port does not support the settings of the "
        "profile. The dispatcher helper applies quirks only once the interface is up."),
     Trouble::By::hands,
     N_("If the log shows that NetworkManager refused the plugin, correct the cause; if not, restart NetworkManager"),
     "journalctl -b -u NetworkManager -g nm-ib\nsystemctl restart NetworkManager"},
    {"dispatcher-refused", N_("{where}: nm-dispatcher refuses to run it"),
     N_("nm-dispatcher runs only files that root owns and only root can write. No program applies rdma.* words and, "
        "without the plugin, no program applies quirks."),
     Trouble::By::fix, "", "chown root:root {where}\nchmod 755 {where}"},
    {"two-managers", N_("{where} is managed by NetworkManager and configured by systemd-networkd"),
     N_("Each program undoes the changes of the other: addresses are lost, the mode changes, the interface goes down."),
     Trouble::By::hands, N_("In the [Match] of its .network file: Name=!{where}; or"),
     "nmcli device set {where} managed no"},
    {"openibd-too", N_("the vendor's service openibd is active beside NetworkManager"),
     N_("A restart of openibd unloads and loads the drivers. All interfaces are lost, and programs "
        "that use them fail."),
     Trouble::By::hands,
     N_("If NetworkManager manages the interfaces, disable openibd, and never restart openibd from a script"),
     "systemctl disable openibd"},
    {"unit-failed", N_("{where} has failed"),
     N_("The RDMA task of the unit is not done: without opensm or opafm ports may stay inactive, "
        "without srp_daemon disks are missing."),
     Trouble::By::hands, N_("The log has the reason; then restart the unit"),
     "journalctl -b -u {where}\nsystemctl restart {where}"},
    {"wait-online-early", N_("NetworkManager-wait-online ended {value} s before {where} had a carrier"),
     N_("The subnet manager gives a port its carrier seconds after the driver starts. Services "
        "that need the network started without it."),
     Trouble::By::hands,
     N_("In a file below /etc/NetworkManager/conf.d, on a line each: [device-ib], match-device=type:infiniband and "
        "carrier-wait-timeout=60000")},
    {"known-fault", N_("{where} {subject} has a known fault: {value}"),
     N_("The fault depends on the version of the program."), Trouble::By::hands, N_("Use a version without the fault")},
    {"memlock-small", N_("{where} (process {subject}) may lock {value}"),
     N_("RDMA needs memory that stays in place: registering more fails with 'Cannot allocate "
        "memory', also in jobs of the service."),
     Trouble::By::hands,
     N_("For a service: under [Service], LimitMEMLOCK=infinity; it holds after a restart of the service. For users: it "
        "needs the group rdma (groupadd --system rdma; usermod -aG rdma USER), and holds after a new login")},
    {"plugin-older", N_("the running NetworkManager has loaded another version of the device plugin than is installed"),
     N_("The corrections of the new version are not in effect yet."), Trouble::By::command,
     N_("Interfaces that are up stay up"), "systemctl restart NetworkManager"},
    {"selinux-label", N_("{where} has the SELinux label {value}, and its directory has another"),
     N_("SELinux enforces its policy and chooses by the label what the daemon and the dispatcher helper may do."),
     Trouble::By::fix, "", "restorecon -RF {where}"},
    {"dispatcher-missing", N_("{where}, which nm-dispatcher runs, does not exist"),
     N_("No program applies rdma.* words and, without the plugin, no program applies quirks."), Trouble::By::hands,
     N_("Install the package network-manager-infiniband (RPM: NetworkManager-infiniband) again, which has this file")},
};

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

const std::span<const Trouble::Kind> service_kinds = kinds;

std::vector<Trouble> service(const Host &host)
{
    std::vector<Trouble> all;
    const auto &s = host.services;
    const auto add = [&](const Trouble::Kind *kind, Severity severity, std::string where = {},
                         std::string value = {}) -> Trouble & {
        return all.emplace_back(
            Trouble{.kind = kind, .severity = severity, .where = std::move(where), .value = std::move(value)});
    };
    if (s.daemon_stopped) add(find_kind(kinds, "networkmanager-stopped"), Severity::error, "NetworkManager.service");
    if (s.plugin_installed && !s.plugin_loaded)
        add(find_kind(kinds, "plugin-not-loaded"), Severity::warning, "NetworkManager");
    if (s.plugin_replaced) add(find_kind(kinds, "plugin-older"), Severity::warning, "NetworkManager");
    if (!s.missing_dispatcher.empty())
        add(find_kind(kinds, "dispatcher-missing"), Severity::error, s.missing_dispatcher);
    if (!s.refused_dispatcher.empty())
        add(find_kind(kinds, "dispatcher-refused"), Severity::error, s.refused_dispatcher);
    for (const auto &[path, type] : s.mislabelled) add(find_kind(kinds, "selinux-label"), Severity::error, path, type);
    for (const auto &name : s.networkd)
        if (s.managed.contains(name)) add(find_kind(kinds, "two-managers"), Severity::error, name);
    if (s.openibd && !s.managed.empty()) add(find_kind(kinds, "openibd-too"), Severity::warning, "openibd");
    for (const auto &unit : s.failed_units) add(find_kind(kinds, "unit-failed"), Severity::error, unit);
    for (const auto &name : host.wanted) {
        constexpr std::uint64_t second = 1'000'000; // a carrier of much later has other causes than the boot
        const auto ready = s.wait_online_end && starts_at_boot(host, name) ? first_carrier(s.log, name) : std::nullopt;
        if (ready && *ready > *s.wait_online_end + second && *ready < *s.wait_online_end + 300 * second)
            add(find_kind(kinds, "wait-online-early"), Severity::warning, name, seconds(*ready - *s.wait_online_end));
    }
    for (const auto &[fault, version] : faults_of(host)) {
        auto &t = add(find_kind(kinds, "known-fault"), Severity::warning, std::string(fault->program));
        t.subject = version;
        t.sentence = [fault = fault](Translate translate) {
            return std::string(translate(fault->text)) + " (" + std::string(fault->source) + ")";
        };
    }
    constexpr std::uint64_t enough = 64ULL << 20; // a smaller limit is a default, not a decision
    for (const auto &l : s.limits) {
        if (l.bytes >= enough) continue;
        auto &t = add(find_kind(kinds, "memlock-small"), Severity::warning, l.name);
        t.sentence = [size = l.bytes >> 10, configured = l.configured](Translate translate) {
            return configured.empty()
                       ? message(translate, N_("{size} KiB of memory"), fmt::arg("size", size))
                       : message(translate, N_("{size} KiB of memory (LimitMEMLOCK of the unit: {configured})"),
                                 fmt::arg("size", size), fmt::arg("configured", configured));
        };
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
