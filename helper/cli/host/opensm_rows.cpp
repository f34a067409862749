// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/host/hardware.hpp"
#include "cli/host/partitions.hpp"
#include "cli/host/rows.hpp"
#include "cli/host/units.hpp"
#include "core/host/opensm.hpp"
#include "core/number.hpp"
#include "probe/dir.hpp"

#include <algorithm>

namespace nmib::cli
{

namespace
{
constexpr std::size_t longest = 65536;

Result<std::string> read(const std::string &directory, const std::string &name)
{
    const auto dir = Dir::open(directory);
    return dir ? dir->read(name, longest) : Result<std::string>(dir.error());
}

Words sorted(Words all)
{
    std::sort(all.begin(), all.end());
    return all;
}

/// Lines of others that choose ports or priority.
void add_lines(const char *directory, const char *name, std::initializer_list<std::string_view> keys,
               const std::string &effect, HostRows &rows)
{
    const auto text = read(directory, name);
    for (const auto &line : text ? cut(*text, "\n") : Words{})
        for (const auto key : keys)
            if (line.starts_with(key))
                rows.push_back({"opensm", strip(line), std::string(directory) + "/" + name, effect});
}

/// `command`: what wrote the drop-in of ours; empty without one.
void add_partitions(const std::string &command, HostRows &rows)
{
    const auto unit = has_unit_file("opensm@.service") ? "opensm@0.service" : "opensm.service";
    const auto source = find_partitions(unit);
    const auto there = parse_partitions(source.text), wanted = partitions_of_profiles();
    if (!source.is_there && command.empty()) return; // whose subnet manager it is decides elsewhere
    HostRow row{"opensm", "partitions", source.path, {}, {}, source.is_ours()};
    for (const auto &p : there)
        row.setting += " " + hex(p.number == default_partition ? p.number : p.number | 0x8000, 4);
    if (!missing_partitions(wanted, there).empty())
        row.needs = "nm-ib host opensm " + (command.empty() ? "GUID" : command);
    if (source.is_there || !row.needs.empty()) rows.push_back(std::move(row));
}
} // namespace

void add_opensm_rows(HostRows &rows)
{
    Words now;
    const auto devices = look_at_devices();
    for (const auto &device : devices ? *devices : std::vector<RdmaDevice>{})
        for (const auto &port : device.ports)
            if (port.has_sm() && port.guid) now.push_back(hex(port.guid->value, 16));
    const auto effect = join(now, " ");
    const auto place = opensm_places().front();
    const auto own = read(place.directory, place.name);
    const std::string_view verb = "opensm ";
    auto command = own ? std::string(host_command(*own)) : std::string();
    command = command.starts_with(verb) ? command.substr(verb.size()) : "";
    const auto before = rows.size();
    if (!command.empty()) {
        const auto lines = has_unit_file("opensm@.service") ? Result<Words>(Words{}) : overriding_lines(false);
        const auto how =
            lines && !lines->empty() ? _("delete GUIDS= in /etc/sysconfig/opensm") : "systemctl restart opensm";
        const auto guids = cut(command.substr(0, command.find(" priority")), " ");
        rows.push_back({"opensm", command, place.path(), effect, sorted(guids) == sorted(now) ? "" : how, true});
    } else if (has_unit_file("opensm.service")) { // Debian's file does not count with ours
        add_lines("/etc/default", "opensm", {"PORTS="}, effect, rows);
    }
    if (has_unit_file("opensm.service")) add_lines("/etc/sysconfig", "opensm", {"GUIDS=", "PRIORITY="}, effect, rows);
    for (const auto *home : {"/etc/opensm", "/etc/rdma"})
        add_lines(home, "opensm.conf", {"guid ", "sm_priority ", "partition_config_file "}, effect, rows);
    if (rows.size() == before && !effect.empty()) rows.push_back({"opensm", {}, {}, effect});
    add_partitions(command, rows);
}

} // namespace nmib::cli
