// SPDX-License-Identifier: LGPL-2.1-or-later
/// host: what is set by whom, what is in effect, what needs a restart.
#include "cli/base/table.hpp"
#include "cli/host/hardware.hpp"
#include "cli/host/units.hpp"
#include "cli/host/writing.hpp"
#include "core/host/memlock.hpp"
#include "core/host/nfs_server.hpp"
#include "core/host/opensm.hpp"
#include "core/number.hpp"
#include "core/printable.hpp"
#include "probe/host/accounts.hpp"
#include "probe/host/memlock.hpp"
#include "probe/inventory/modules.hpp"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

namespace nmib::cli
{

namespace
{
using Json = nlohmann::ordered_json;
constexpr std::size_t longest = 65536;

struct Row {
    std::string noun, setting, file, effect, needs;
    bool ours;
};

std::string shown(std::uint64_t bytes)
{
    if (bytes == std::numeric_limits<std::uint64_t>::max()) return "unlimited";
    return bytes < 1024 || bytes % 1024 != 0 ? std::to_string(bytes) : MemlockSize{bytes}.str();
}

void each_file(const std::string &path,
               const std::function<void(const std::string &path, const std::string &text)> &look)
{
    const auto dir = Dir::open(path);
    const auto names = dir ? dir->list() : Result<Words>(dir.error());
    for (const auto &name : names ? *names : Words{})
        if (const auto text = name.ends_with(".conf") ? dir->read(name, longest) : Result<std::string>(Error{}))
            look(path + "/" + name, *text);
}

/// What it has in a process that is there, and what is to be done where that is another.
void memlock_effect(const MemlockTarget &target, const std::string &size, Row &row)
{
    const auto proc = Dir::open("/proc");
    if (!proc) return;
    std::optional<std::uint64_t> bytes;
    if (target.kind == MemlockTarget::Kind::unit) {
        const auto pid = parse_decimal(unit_property(target.name, "MainPID"), std::numeric_limits<int>::max());
        if (pid && *pid != 0) bytes = read_memlock(*proc, static_cast<int>(*pid));
    } else {
        auto users =
            target.kind == MemlockTarget::Kind::user ? Words{target.name} : find_group(target.name).value_or(Words{});
        for (const auto &user : users) {
            const auto uid = find_user(user);
            const auto smallest = uid ? smallest_memlock_of(*proc, *uid) : std::nullopt;
            if (smallest) bytes = std::min(bytes.value_or(smallest->bytes), smallest->bytes);
        }
    }
    if (!bytes) return;
    row.effect = shown(*bytes);
    if (row.effect == size) return;
    row.needs =
        target.kind == MemlockTarget::Kind::unit ? "systemctl restart " + target.name : std::string(_("a new login"));
}

void add_memlock_line(const std::string &path, std::string_view line, bool ours, std::vector<Row> &rows)
{
    const auto words = cut(line.substr(0, line.find('#')), " \t");
    if (words.size() < 4 || words[2] != "memlock") return;
    Row row{"memlock", words[0] + " " + words[3], path, {}, {}, ours};
    if (const auto kib = parse_decimal(words[3], UINT64_MAX >> 11); kib && *kib != 0)
        row.setting = words[0] + " " + MemlockSize{*kib << 10}.str();
    if (const auto target = MemlockTarget::parse(words[0]))
        memlock_effect(*target, row.setting.substr(words[0].size() + 1), row);
    rows.push_back(std::move(row));
}

void add_memlock(std::vector<Row> &rows)
{
    const auto add = [&](const std::string &path, const std::string &text) {
        for (const auto &line : cut(text, "\n")) add_memlock_line(path, line, is_host_file(text), rows);
    };
    const auto security = Dir::open("/etc/security");
    if (const auto text = security ? security->read("limits.conf", longest) : Result<std::string>(Error{}))
        add("/etc/security/limits.conf", *text);
    each_file(std::string(limits_directory), add);
    const auto units = Dir::open(std::string(units_directory));
    const auto names = units ? units->list() : Result<Words>(Error{});
    for (const auto &name : names ? *names : Words{}) {
        if (!name.ends_with(".d")) continue;
        each_file(std::string(units_directory) + "/" + name, [&](const std::string &path, const std::string &text) {
            for (const auto &line : cut(text, "\n")) {
                if (!line.starts_with("LimitMEMLOCK=")) continue;
                const auto unit = name.substr(0, name.size() - 2);
                const auto value = line.substr(13);
                const auto bytes = parse_decimal(value, UINT64_MAX / 2);
                const auto size = value == "infinity" ? std::string("unlimited") : bytes ? shown(*bytes) : value;
                Row row{"memlock", unit + " " + size, path, {}, {}, is_host_file(text)};
                if (const auto target = MemlockTarget::parse(unit)) memlock_effect(*target, size, row);
                rows.push_back(std::move(row));
            }
        });
    }
}

void add_nfs(std::vector<Row> &rows)
{
    Words now;
    const auto nfsd = Dir::open("/proc/fs/nfsd");
    if (const auto text = nfsd ? nfsd->read("portlist", longest) : Result<std::string>(Error{}))
        for (const auto port : rdma_listeners(*text)) now.push_back("rdma " + std::to_string(port));
    const auto effect = join(now, ", ");
    const auto before = rows.size();
    const auto add = [&](const std::string &path, const std::string &text) {
        const auto words = nfs_rdma_words(text);
        if (words.empty()) return;
        Row row{"nfs-server", words, path, effect, {}, is_host_file(text)};
        const bool wants = words != "rdma=n";
        if (row.ours && (wants ? effect != "rdma " + words.substr(5) : !now.empty()))
            row.needs = "systemctl restart nfs-server";
        rows.push_back(std::move(row));
    };
    const auto etc = Dir::open("/etc");
    if (const auto text = etc ? etc->read("nfs.conf", longest) : Result<std::string>(Error{}))
        add("/etc/nfs.conf", *text);
    each_file("/etc/nfs.conf.d", add);
    if (rows.size() == before && !effect.empty()) rows.push_back({"nfs-server", {}, {}, effect, {}, false});
}

void add_modules(std::vector<Row> &rows)
{
    const auto sysfs = Dir::open("/sys");
    if (!sysfs) return;
    for (const auto *place : {"/etc/modules-load.d", "/etc/rdma/modules"})
        each_file(place, [&](const std::string &path, const std::string &text) {
            Words named, missing;
            for (const auto &line : cut(text, "\n")) {
                const auto word = strip(line);
                if (!is_module_name(word)) continue;
                named.push_back(word);
                if (!has_module(*sysfs, module_name(word))) missing.push_back(word);
            }
            if (named.empty()) return;
            Row row{"modules", join(named, " "), path, {}, {}, is_host_file(text)};
            row.effect = missing.empty() ? _("all loaded") : form(_("not loaded: %s"), join(missing, " ").c_str());
            if (row.ours && !missing.empty()) row.needs = "modprobe -a " + join(missing, " ");
            rows.push_back(std::move(row));
        });
}

void add_opensm(std::vector<Row> &rows)
{
    Words now;
    const auto devices = look_at_devices();
    for (const auto &device : devices ? *devices : std::vector<RdmaDevice>{})
        for (const auto &port : device.ports)
            if (port.has_sm() && port.guid) now.push_back(hex(port.guid->value, 16));
    const auto effect = join(now, " ");
    const auto add = [&](const char *directory, const char *name, std::string_view key) {
        const auto dir = Dir::open(directory);
        const auto text = dir ? dir->read(name, longest) : Result<std::string>(Error{});
        for (const auto &line : text ? cut(*text, "\n") : Words{})
            if (line.starts_with(key))
                rows.push_back({"opensm", line, std::string(directory) + "/" + name, effect, {}, false});
    };
    const auto place = opensm_places().front();
    const auto dir = Dir::open(place.directory);
    const auto own = dir ? dir->read(place.name, longest) : Result<std::string>(Error{});
    if (own && host_command(*own).starts_with("opensm ")) {
        const auto command = std::string(host_command(*own)).substr(7);
        auto guids = cut(command.substr(0, command.find(" priority")), " ");
        std::sort(guids.begin(), guids.end());
        auto sorted = now;
        std::sort(sorted.begin(), sorted.end());
        rows.push_back(
            {"opensm", command, place.path(), effect, guids == sorted ? "" : "systemctl restart opensm", true});
        return; // what the distribution's file says does not count then
    }
    const auto before = rows.size();
    add("/etc/default", "opensm", "PORTS=");
    add("/etc/sysconfig", "opensm", "GUIDS=");
    if (rows.size() == before && !effect.empty()) rows.push_back({"opensm", {}, {}, effect, {}, false});
}
} // namespace

std::optional<Failure> list_host(const HostRequest &request)
{
    std::vector<Row> rows;
    add_memlock(rows);
    add_nfs(rows);
    add_modules(rows);
    add_opensm(rows);
    if (request.json) {
        const auto or_null = [](const std::string &text) { return text.empty() ? Json() : Json(text); };
        Json all = {{"schema", 1}, {"changed", false}, {"settings", Json::array()}};
        for (const auto &r : rows)
            all["settings"].push_back({{"noun", r.noun},
                                       {"setting", or_null(r.setting)},
                                       {"file", or_null(r.file)},
                                       {"by_nm_ib", r.ours},
                                       {"in_effect", or_null(r.effect)},
                                       {"needs", or_null(r.needs)}});
        print(all.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
        return {};
    }
    Rows shown_rows{.titles = {"NOUN", "SETTING", "FILE", "BY-NM-IB", "IN-EFFECT", "NEEDS"}};
    for (const auto &r : rows)
        shown_rows.rows.push_back({r.noun, printable(r.setting), printable(r.file), r.ours ? _("yes") : _("no"),
                                   printable(r.effect), printable(r.needs)});
    const auto text = table(request.print, shown_rows);
    if (!text) return host_refused(text.error().what);
    print(*text);
    return {};
}

} // namespace nmib::cli
