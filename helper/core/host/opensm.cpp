// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/host/opensm.hpp"

#include "core/number.hpp"

namespace nmib
{

std::vector<HostFile> opensm_places()
{
    constexpr const char *name = "90-nm-ib.conf";
    return {{.directory = "/etc/systemd/system/opensm.service.d", .name = name, .own_directory = true},
            {.directory = "/etc/systemd/system/opensm@.service.d", .name = name, .own_directory = true}};
}

namespace
{
std::string words_of(std::span<const Guid> ports)
{
    std::string guids;
    for (const auto &g : ports) guids += (guids.empty() ? "" : " ") + hex(g.value, 16);
    return guids;
}
} // namespace

std::string opensm_command(const OpensmSetting &setting)
{
    return "opensm " + words_of(setting.ports) +
           (setting.priority ? " priority " + std::to_string(*setting.priority) : "");
}

std::vector<HostFile> opensm_files(const OpensmSetting &setting, bool has_template)
{
    auto all = opensm_places();
    const auto guids = words_of(setting.ports);
    const auto priority = setting.priority ? std::to_string(*setting.priority) : std::string();
    const auto head = host_head(opensm_command(setting), "opensm default");
    // The distribution's file with the same words would win over Environment=.
    all[0].text = head + "[Service]\nEnvironmentFile=\nEnvironment=\"PORTS=" + guids + "\" \"GUIDS=" + guids + "\"";
    if (!priority.empty()) all[0].text += " PRIORITY=" + priority;
    all[0].text += "\n";
    if (has_template && !priority.empty())
        all[1].text = head + "[Service]\nExecStart=\nExecStart=/usr/sbin/opensm --guid %I --priority " + priority +
                      " --log_file /var/log/opensm.%I.log\n";
    return all;
}

} // namespace nmib
