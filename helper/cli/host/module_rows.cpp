// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/host/limits.hpp"
#include "cli/host/rows.hpp"
#include "core/host/modules.hpp"
#include "core/translate.hpp"
#include "probe/inventory/modules.hpp"

#include <algorithm>

namespace nmib::cli
{

namespace
{
void add(const Dir &sysfs, const std::string &path, const std::string &text, HostRows &rows)
{
    Words named, missing;
    for (const auto &line : cut(text, "\n")) {
        const auto word = strip(line);
        if (!is_module_name(word)) continue;
        named.push_back(word);
        if (!has_module(sysfs, module_name(word))) missing.push_back(word);
    }
    const bool ours = is_host_file(text);
    const auto is_rdma = [](const std::string &word) { return is_rdma_module(module_name(word)); };
    if (named.empty() || (!ours && std::none_of(named.begin(), named.end(), is_rdma))) return;
    HostRow row{"modules", join(named, " "), path, {}, {}, ours};
    row.effect = missing.empty() ? _("all loaded") : form(_("not loaded: %s"), join(missing, " ").c_str());
    if (ours && !missing.empty()) row.needs = "modprobe -a " + join(missing, " ");
    rows.push_back(std::move(row));
}
} // namespace

void add_module_rows(HostRows &rows)
{
    const auto sysfs = Dir::open("/sys");
    if (!sysfs) return;
    // Those in /etc/rdma/modules wait for the devices that they are for: one that is not loaded is no fault.
    for (const auto *place :
         {"/usr/lib/modules-load.d", "/run/modules-load.d", "/etc/modules-load.d", "/etc/rdma/modules"})
        each_conf_file(place, [&](const std::string &path, const std::string &text) { add(*sysfs, path, text, rows); });
    const auto etc = Dir::open("/etc");
    if (const auto text = etc ? etc->read("modules", 65536) : Result<std::string>(Error{}))
        add(*sysfs, "/etc/modules", *text, rows);
}

} // namespace nmib::cli
