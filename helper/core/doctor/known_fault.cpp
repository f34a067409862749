// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/doctor/known_fault.hpp"

#include "core/base/message.hpp"
#include "core/base/text.hpp"

namespace nmib
{

namespace
{
constexpr std::string_view waagent_files[] = {"usr/lib/python3/dist-packages/azurelinuxagent/common/version.py",
                                              "usr/lib/python3*/site-packages/azurelinuxagent/common/version.py"};
constexpr KnownTool tools[] = {{"waagent", waagent_files, "AGENT_VERSION = '"}};

constexpr KnownFault faults[] = {
    {"waagent", "2.9.1.1", "2.10", N_("gives the InfiniBand interface of a virtual machine no address"),
     "Azure/WALinuxAgent#3025"},
    {"linux", "6.11", "6.12", N_("opensm does not start: 'Unable to register class 129'"), "linux-rdma/opensm#37"},
};
} // namespace

std::span<const KnownTool> known_tools() noexcept { return tools; }

bool is_older(std::string_view version, std::string_view than) noexcept
{
    for (;;) {
        const auto number = [](std::string_view &rest) {
            const auto digits = rest.substr(0, rest.find_first_not_of("0123456789"));
            const auto value = parse_decimal(digits, UINT32_MAX).value_or(0);
            rest.remove_prefix(digits.size());
            // A suffix like "-10-amd64" does not count.
            rest = rest.starts_with('.') ? rest.substr(1) : std::string_view{};
            return value;
        };
        if (than.empty()) return false;
        const auto a = number(version), b = number(than);
        if (a != b) return a < b;
    }
}

std::vector<std::pair<const KnownFault *, std::string>> faults_of(const Host &host)
{
    std::vector<std::pair<const KnownFault *, std::string>> all;
    const auto add = [&](std::string_view name, const std::string &version) {
        for (const auto &f : faults)
            if (f.program == name && !version.empty() && !is_older(version, f.since) &&
                (f.until.empty() || is_older(version, f.until)))
                all.emplace_back(&f, version);
    };
    if (host.has_opensm) add("linux", host.kernel);
    for (const auto &tool : host.has_device ? host.services.tools : std::vector<Tool>{}) add(tool.name, tool.version);
    return all;
}

} // namespace nmib
