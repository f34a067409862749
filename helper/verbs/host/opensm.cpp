// SPDX-License-Identifier: LGPL-2.1-or-later
/// host opensm [GUID...|unset]
#include "core/host/opensm.hpp"

#include "core/base/text.hpp"
#include "nm/profiles.hpp"
#include "probe/base/dir.hpp"
#include "probe/base/ifcfg.hpp"
#include "probe/plan/profile.hpp"
#include "probe/rdma/facts.hpp"
#include "verbs/host/host.hpp"

#include <algorithm>
#include <glib.h>
#include <set>

namespace nmib::cli
{

namespace
{
/// Debian's instances are PartOf= the service: a restart would also start those of removed ports again.
std::vector<Words> commands_for_effect()
{
    std::vector<Words> all{{"systemctl", "stop", "opensm"}, {"systemctl", "start", "opensm"}};
    if (unit_property("opensm.service", "UnitFileState") == "disabled") // EL and SUSE
        all.insert(all.begin(), {"systemctl", "enable", "opensm"});
    return all;
}

Result<std::vector<Guid>> parse(const Words &words, const std::vector<RdmaDevice> &devices)
{
    std::vector<Guid> ports;
    for (const auto &word : words) {
        const auto guid = Guid::parse(word);
        const auto is_it = [&](const RdmaPort &port) {
            return guid && guid->value != 0 && port.guid && *port.guid == *guid;
        };
        const auto device = std::find_if(devices.begin(), devices.end(), [&](const RdmaDevice &d) {
            return std::any_of(d.ports.begin(), d.ports.end(), is_it);
        });
        if (device != devices.end() && device->is_fabric_managed)
            return bad(form("{}: this port manages the machine's NVSwitches, whose fabric manager runs there\n"
                            "To list the ports for users:\n"
                            "  nm-ib port",
                            guid->str()));
        if (device == devices.end())
            return bad(form("{}: no such InfiniBand port\n"
                            "To list the ports:\n"
                            "  nm-ib port",
                            printable(word)));
        if (std::find(ports.begin(), ports.end(), *guid) == ports.end()) ports.push_back(*guid);
    }
    return ports;
}

/// Returns the GUIDs of ports that report a running subnet manager.
Words running()
{
    const auto devices = read_devices();
    Words all;
    for (const auto &device : devices ? *devices : std::vector<RdmaDevice>{})
        for (const auto &port : device.ports)
            if (port.has_sm() && port.guid) all.push_back(port.guid->str());
    std::sort(all.begin(), all.end());
    return all;
}

/// Only profiles for all users: the fabric is not one user's.
std::vector<Intent> intents_of_profiles()
{
    std::vector<Intent> all;
    std::set<std::string> seen;
    auto places = profile_directories();
    places.emplace_back(ifcfg_directory);
    for (const auto &place : places) {
        for (const auto &name : names_in(place)) {
            const bool is_read = place == ifcfg_directory ? is_ifcfg_name(name) : is_keyfile_name(place, name);
            const auto profile = is_read ? read_profile(place + "/" + name) : Result<Profile>(Error{});
            if (!profile || (!profile->uuid.empty() && !seen.insert(profile->uuid).second)) continue;
            const auto read = read_rdma_words(words_directory, profile->uuid);
            const bool is_skipped = read && read->words.skip;
            if (profile->infiniband && !profile->generated && !profile->is_private && !is_skipped)
                all.push_back(profile->intent);
        }
    }
    return all;
}

/// opensm reads only one partition file, which is the administrator's: prints the lines that are missing.
Words partition_notes()
{
    const std::string home = read_file("/etc/rdma/opensm.conf") ? "/etc/rdma" : "/etc/opensm";
    const auto conf = read_file(home + "/opensm.conf");
    auto path = conf ? opensm_option(*conf, "partition_config_file") : std::string();
    if (path.empty()) path = home + "/partitions.conf";
    const auto text = read_file(path);
    const auto there = text ? cut(*text, "\n") : Words{};
    const auto lines = partition_lines(intents_of_profiles());
    Words missing;
    for (const auto &line : lines)
        if (std::find(there.begin(), there.end(), line) == there.end()) missing.push_back(line);
    if (missing.empty()) return {};
    missing.insert(missing.begin(), form("The profiles of this machine use these partitions.\n"
                                         "In {}, add these lines, or replace the lines with the same number:",
                                         printable(path)));
    return missing;
}

/// Lines of /etc/sysconfig/opensm that choose ports. A shell reads the file: GUIDS= may be anywhere in a line.
Result<Words> overriding_lines()
{
    const auto text = read_file("/etc/sysconfig/opensm");
    if (!text) return text.error().kind == Error::Kind::absent ? Result<Words>(Words{}) : text.error();
    Words all;
    for (const auto &line : cut(*text, "\n"))
        if (!trim(line).starts_with('#') && line.find("GUIDS=") != line.npos) all.emplace_back(trim(line));
    return all;
}

/// Returns why EL's opensm-launch would not use only the ports of a drop-in; empty if it would. The script sources
/// /etc/sysconfig/opensm. With GUIDS it reads no opensm.conf.N, and gives each port its own subnet prefix.
std::string obstacle()
{
    const auto lines = overriding_lines();
    if (!lines) return lines.error().what;
    if (!lines->empty())
        return form("'{}' in /etc/sysconfig/opensm overrides the file of nm-ib\n"
                    "Delete that line and try again, or set the ports in /etc/sysconfig/opensm, without nm-ib.",
                    printable(lines->front()));
    for (const auto &name : names_in("/etc/rdma"))
        if (name.starts_with("opensm.conf.") && g_ascii_isdigit(name[12]))
            return form("/etc/rdma/{} is for a separate subnet manager, and opensm would no longer read the file\n"
                        "Name the ports in such files, without nm-ib.",
                        printable(name));
    const auto conf = read_file("/etc/rdma/opensm.conf");
    const auto prefix = Guid::parse(conf ? opensm_option(*conf, "subnet_prefix") : "");
    return prefix && prefix->value != default_prefix
               ? _("/etc/rdma/opensm.conf has another subnet_prefix, which opensm-launch would override\n"
                   "Name the port in that file (guid), without nm-ib.")
               : "";
}

/// Adds lines of other files that choose ports or the partition file.
void add_lines(const std::string &path, std::initializer_list<std::string_view> keys, const std::string &effect,
               HostRows &rows)
{
    const auto text = read_file(path);
    for (const auto &line : text ? cut(*text, "\n") : Words{})
        for (const auto key : keys)
            if (line.starts_with(key)) rows.push_back({"opensm", std::string(trim(line)), path, effect});
}
} // namespace

Status host_opensm(const Request &request)
{
    HostPlan plan{.noun = "opensm", .setting = "opensm " + printable(join(request.words, " ")), .units = true};
    const bool unset = request.words == Words{"unset"};
    if (unset) {
        plan.files.push_back(opensm_file({}));
    } else {
        const auto devices = read_devices();
        if (!devices) return failed(devices.error().what);
        const auto ports = parse(request.words, *devices);
        if (!ports) return refused(ports.error().what);
        if (!has_unit_file("opensm.service"))
            return failed(_("opensm.service does not exist; install the package opensm"));
        const bool has_template = has_unit_file("opensm@.service");
        if (const auto why = has_template ? std::string() : obstacle(); !why.empty()) return failed(why);
        plan.files.push_back(opensm_file(*ports));
        plan.notes = partition_notes();
        if (!has_template && ports->size() > 1)
            plan.notes.push_back(_("opensm-launch gives each port but the first another subnet "
                                   "prefix (fe80:0:0:1 and so on): each port needs a separate subnet"));
    }
    plan.after = [&](bool changed) -> Result<Words> {
        const auto now = running();
        Words notes{form("Ports on which a subnet manager runs: {}", now.empty() ? _("none") : join(now, ", "))};
        const bool is_idle = unset && unit_property("opensm.service", "ActiveState") != "active";
        if (!changed || is_idle) return notes;
        Words commands;
        for (const auto &command : commands_for_effect()) commands.push_back(join(command, " "));
        notes.push_back(form("To apply the setting:\n"
                             "  {}",
                             join(commands, "\n  ")));
        return notes;
    };
    return carry_out(request, plan);
}

void add_opensm_rows(HostRows &rows)
{
    const auto now = running();
    const auto effect = join(now, " ");
    const auto path = opensm_file({}).path();
    const auto own = read_file(path);
    auto words = cut(own ? std::string(host_command(*own)) : std::string(), " ");
    const auto before = rows.size();
    if (words.size() > 1 && words.front() == "opensm") {
        words.erase(words.begin());
        for (auto &word : words)
            if (const auto guid = Guid::parse(word)) word = guid->str();
        HostRow row{"opensm", join(words, " "), path, effect, {}, true};
        std::sort(words.begin(), words.end());
        const auto lines = has_unit_file("opensm@.service") ? Result<Words>(Words{}) : overriding_lines();
        if (words != now && lines && !lines->empty())
            row.needs = _("delete GUIDS= in /etc/sysconfig/opensm");
        else if (words != now)
            row.commands = commands_for_effect();
        rows.push_back(std::move(row));
    } else if (has_unit_file("opensm.service")) { // nm-ib's file overrides Debian's
        add_lines("/etc/default/opensm", {"PORTS="}, effect, rows);
    }
    if (has_unit_file("opensm.service")) add_lines("/etc/sysconfig/opensm", {"GUIDS=", "PRIORITY="}, effect, rows);
    for (const auto *conf : {"/etc/opensm/opensm.conf", "/etc/rdma/opensm.conf"})
        add_lines(conf, {"guid ", "sm_priority ", "partition_config_file "}, effect, rows);
    if (rows.size() == before && !effect.empty()) rows.push_back({"opensm", {}, {}, effect});
}

} // namespace nmib::cli
