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

std::vector<HostFile> opensm_files(const OpensmSetting &setting, bool has_template)
{
    auto all = opensm_places();
    std::string guids;
    for (const auto &g : setting.ports) guids += (guids.empty() ? "" : " ") + hex(g.value, 16);
    const auto priority = setting.priority ? std::to_string(*setting.priority) : std::string();
    const auto head =
        host_head("opensm " + guids + (priority.empty() ? "" : " priority " + priority), "opensm default");
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
