// SPDX-License-Identifier: LGPL-2.1-or-later
/// host opensm GUID... [priority N]|default
#include "core/host/opensm.hpp"

#include "cli/host/hardware.hpp"
#include "cli/host/partitions.hpp"
#include "cli/host/units.hpp"
#include "cli/host/writing.hpp"
#include "core/merge/subnet.hpp"
#include "core/number.hpp"
#include "core/printable.hpp"
#include "probe/dir.hpp"

#include <algorithm>
#include <glib.h>

namespace nmib::cli
{

namespace
{
const RdmaPort *find(const std::vector<RdmaDevice> &devices, Guid guid)
{
    for (const auto &device : devices)
        for (const auto &port : device.ports)
            if (port.guid && *port.guid == guid) return &port;
    return nullptr;
}

Result<OpensmSetting> parse(Words words, const std::vector<RdmaDevice> &devices)
{
    OpensmSetting setting;
    if (const auto at = std::find(words.begin(), words.end(), "priority"); at != words.end()) {
        const auto number =
            words.end() - at == 2 ? parse_decimal(at[1], highest_sm_priority) : std::optional<std::uint64_t>{};
        if (!number) return bad(form(_("priority takes one number, 0 to %u, behind the GUIDs"), highest_sm_priority));
        setting.priority = static_cast<unsigned>(*number);
        words.erase(at, words.end());
    }
    for (const auto &word : words) {
        const auto guid = Guid::parse(word);
        if (!guid || guid->value == 0)
            return bad(form(_("'%s' is no GUID of a port; to see them: nm-ib -f PORT.GUID port show"),
                            printable(word).c_str()));
        if (!find(devices, *guid))
            return bad(form(_("no InfiniBand port of this machine has the GUID %s; to see them: nm-ib -f PORT.GUID "
                              "port show"),
                            hex(guid->value, 16).c_str()));
        if (std::find(setting.ports.begin(), setting.ports.end(), *guid) == setting.ports.end())
            setting.ports.push_back(*guid);
    }
    if (setting.ports.empty()) return bad(_("the GUID of at least one port is needed"));
    return setting;
}

/// Where the ports say that a subnet manager runs on them.
Words running(const std::vector<RdmaDevice> &devices)
{
    Words all;
    for (const auto &device : devices)
        for (const auto &port : device.ports)
            if (port.has_sm() && port.guid) all.push_back(hex(port.guid->value, 16));
    return all;
}

/// opensm reads one file, whole: where somebody has written it, the lines are only shown.
void add_partitions(const OpensmSetting &setting, HostPlan &plan)
{
    const auto wanted = partitions_of_profiles();
    const auto source = find_partitions(opensm_unit(setting.ports.front()));
    if (!source.path.empty() && (!source.is_there || source.is_ours())) {
        plan.files.push_back(partitions_file(source.path, wanted, opensm_command(setting)));
        return;
    }
    const auto missing = missing_partitions(wanted, parse_partitions(source.text));
    if (missing.empty()) return;
    plan.notes.push_back(form(_("Profiles ask for partitions that %s does not give; it was not written by nm-ib host, "
                                "and opensm reads no other. Lines for it, or in place of those of the same number:"),
                              source.path.empty() ? "partitions.conf" : printable(source.path).c_str()));
    for (const auto &p : missing) plan.notes.push_back(partition_line(p));
}

/// Why EL's opensm-launch would not do what a drop-in says, or not that alone; empty where it would. The script sources
/// /etc/sysconfig/opensm; with GUIDS it reads no opensm.conf.N, and gives each port a subnet prefix of its own.
std::string obstacle(const OpensmSetting &setting)
{
    const auto lines = overriding_lines(setting.priority.has_value());
    if (!lines) return lines.error().what;
    if (!lines->empty())
        return form(_("'%s' in /etc/sysconfig/opensm overrides what nm-ib would write; delete that line and try again, "
                      "or set the ports there, without nm-ib"),
                    printable(lines->front()).c_str());
    const auto dir = Dir::open("/etc/rdma");
    const auto names = dir ? dir->list() : Result<Words>(dir.error());
    for (const auto &name : names ? *names : Words{})
        if (name.starts_with("opensm.conf.") && g_ascii_isdigit(name[12]))
            return form(_("/etc/rdma/%s is for a subnet manager of its own, and opensm would no longer read it; name "
                          "the ports in such files, without nm-ib"),
                        printable(name).c_str());
    const auto conf = dir ? dir->read("opensm.conf", 1U << 20) : Result<std::string>(dir.error());
    const auto prefix = Guid::parse(conf ? opensm_option(*conf, "subnet_prefix") : "");
    return prefix && prefix->value != merging::default_prefix
               ? _("/etc/rdma/opensm.conf has another subnet_prefix, which opensm-launch would override; name the port "
                   "in that file (guid), without nm-ib")
               : "";
}

HostFile place_of(const std::string &path) { return partitions_file(path, {}, ""); }
} // namespace

std::optional<Failure> host_opensm(const HostRequest &request)
{
    HostPlan plan{.noun = "opensm", .setting = "opensm " + printable(join(request.words, " "))};
    plan.units = true;
    plan.is_default = request.words == Words{"default"};
    if (plan.is_default) {
        plan.files = opensm_places();
        const auto unit = has_unit_file("opensm@.service") ? "opensm@0.service" : "opensm.service";
        for (const auto &path : own_partitions_files(find_partitions(unit))) plan.files.push_back(place_of(path));
    } else {
        const auto devices = look_at_devices();
        if (!devices) return host_failed(devices.error().what);
        const auto setting = parse(request.words, *devices);
        if (!setting) return host_refused(setting.error().what);
        if (!has_unit_file("opensm.service"))
            return host_failed(_("there is no opensm.service; the package is called opensm"));
        const bool has_template = has_unit_file("opensm@.service");
        if (const auto why = has_template ? std::string() : obstacle(*setting); !why.empty()) return host_failed(why);
        plan.files = opensm_files(*setting, has_template);
        add_partitions(*setting, plan);
        if (!has_template && setting->ports.size() > 1)
            plan.notes.push_back(_("opensm-launch gives each port but the first another subnet prefix (fe80:0:0:1 and "
                                   "so on): they have to be in subnets of their own"));
    }
    plan.after = [&](bool changed) -> Result<Words> {
        const auto devices = look_at_devices();
        if (!devices) return devices.error();
        const auto now = running(*devices);
        const auto said = now.empty() ? std::string(_("none")) : join(now, ", ");
        if (!changed) return Words{form(_("Ports on which a subnet manager runs: %s"), said.c_str())};
        const bool disabled = // as on EL and SUSE
            !plan.is_default && unit_property("opensm.service", "UnitFileState") == "disabled";
        return Words{form(_("Ports on which a subnet manager runs: %s; as set after: %s"), said.c_str(),
                          disabled ? "systemctl enable opensm; systemctl restart opensm" : "systemctl restart opensm")};
    };
    return carry_out(request, plan);
}

} // namespace nmib::cli
