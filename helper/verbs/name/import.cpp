// SPDX-License-Identifier: LGPL-2.1-or-later
/// name import: replaces names that are tied to a hardware address by stable names.
#include "apply/name/import.hpp"
#include "core/base/text.hpp"
#include "probe/name/udev_files.hpp"
#include "terminal/json.hpp"
#include "terminal/table.hpp"
#include "verbs/name/apply_name.hpp"
#include "verbs/name/name.hpp"
#include "verbs/name/report.hpp"
#include "verbs/name/set.hpp"

#include <algorithm>
#include <set>

namespace nmib::cli
{

namespace
{
/// A name that is tied to the hardware address of a port.
struct Import {
    const FragileFile *file; ///< element of Imports::files
    const FragileName *fragile;
    const PortIdentity *port; ///< element of Imports::world; null: none, or more than one
    std::string left{};       ///< why it is skipped; empty: it can be imported
    NameFiles files{};

    const std::string &name() const { return fragile->name; }
    std::string where() const
    {
        return file->path + (file->is_rule ? ":" + std::to_string(fragile->last_line) : std::string());
    }
    const char *kind() const { return file->is_rule ? "rule" : "link-file"; }
    std::string becomes() const { return std::string(link_directory) + "/" + file_name(*PortName::parse(name())); }
};

struct Imports {
    NamingWorld world{};
    std::vector<FragileFile> files{};
    std::vector<Import> all{};
};

/// Returns the port with this GUID; null if there is none, or more than one.
const PortIdentity *port_with(const NamingWorld &world, Guid guid)
{
    const PortIdentity *found = nullptr;
    for (const auto &p : world.ports) {
        if (p.guid != guid) continue;
        if (found) return nullptr;
        found = &p;
    }
    return found;
}

std::string without_port(Guid guid)
{
    return form("no port, or more than one port, of this machine has the GUID {}", guid.str());
}

std::optional<PortName> own_name(const NamingWorld &world, const PortIdentity &port)
{
    const auto *own = world.own_file(port);
    return own ? name_in(own->file) : std::nullopt;
}

/// Returns a conflicting import: the same port with another name, or the same name for another port.
const Import *rival(const Imports &plan, const Import &import)
{
    const auto found = std::find_if(plan.all.begin(), plan.all.end(), [&](const Import &other) {
        return other.left.empty() && (other.port == import.port) != (other.name() == import.name());
    });
    return found == plan.all.end() ? nullptr : &*found;
}

std::string obstacle(const Imports &plan, const Import &import, bool force)
{
    const auto &fragile = *import.fragile;
    if (!import.port) return without_port(fragile.guid);
    if (fragile.name.empty()) return _("the entry gives no name");
    if (fragile.loss != FragileName::Loss::none && !(force && fragile.can_be_forced())) {
        const auto why = text(fragile, translate);
        return fragile.can_be_forced() ? form("{}; --force overrides this", why) : why;
    }
    if (!import.file->path.starts_with("/etc/")) return _("the file is not below /etc; change its source");
    if (const auto *other = rival(plan, import))
        return form("{} gives the name {} to {}", printable(other->where()), printable(other->name()),
                    label(*other->port));
    const auto own = own_name(plan.world, *import.port);
    if (own && own->view() != import.name() && !force)
        return form("nm-ib already gives {} the name {}; --force overrides this", label(*import.port), own->str());
    return {};
}

void add_files(Imports &plan, bool force)
{
    for (const auto &file : plan.files) {
        for (const auto &fragile : file.names) {
            Import i{&file, &fragile, port_with(plan.world, fragile.guid)};
            i.left = obstacle(plan, i, force);
            plan.all.push_back(std::move(i));
        }
    }
}

/// Returns the world after the import, without the files and rules that are replaced.
NamingWorld rest_of(const Imports &plan)
{
    auto rest = plan.world;
    for (const auto &i : plan.all) {
        if (!i.left.empty()) continue;
        std::erase_if(rest.configs, [&](const LinkConfig &c) { return c.path == i.file->path; });
        std::erase_if(rest.rules,
                      [&](const NameRule &r) { return r.path == i.file->path && r.line == i.fragile->last_line; });
    }
    return rest;
}

/// A skipped name stays, and may conflict with other imports: repeats until no further import is skipped.
void drop_conflicting_imports(Imports &plan, const NameRequest &request)
{
    for (bool again = true; again;) {
        again = false;
        const auto rest = rest_of(plan);
        for (auto &i : plan.all) {
            if (!i.left.empty()) continue;
            const auto &port = rest.ports[static_cast<std::size_t>(i.port - plan.world.ports.data())];
            auto files = name_files(rest, port, i.name(), request);
            const auto change = files.and_then(
                [&](auto &) { return NameChange::of(*i.port, PortName::parse(i.name())->ifname(), request); });
            if (change)
                i.files = std::move(*files);
            else
                i.left = change.error().what;
            again = again || !change;
        }
    }
}

Result<Imports> find_imports(const NameRequest &request)
{
    Imports plan;
    auto world = read_naming_world();
    if (!world) return world.error();
    plan.world = std::move(*world);
    auto files = read_fragile(plan.world.configs);
    if (!files) return files.error();
    plan.files = std::move(*files);
    add_files(plan, request.force);
    drop_conflicting_imports(plan, request);
    return plan;
}

std::string table_of(const Imports &plan)
{
    Rows rows{.titles = {"KIND", "WHERE", "PORT", "NAME", "BECOMES"}};
    for (const auto &i : plan.all)
        rows.rows.push_back({i.kind(), printable(i.where()), i.port ? label(*i.port) : "", printable(i.name()),
                             i.left.empty() ? i.becomes() : form("skipped: {}", i.left)});
    return *table({}, rows);
}

Json json_of_import(const Import &i, bool done)
{
    Json j = {{"kind", i.kind()}, {"where", i.where()}};
    j["port"] = i.port ? Json(i.port->label()) : Json();
    j["name"] = or_null(i.name());
    j["becomes"] = i.left.empty() ? Json(i.becomes()) : Json();
    j["state"] = !i.left.empty() ? "left" : done ? "imported" : "possible";
    if (!i.left.empty()) j["reason"] = i.left;
    return j;
}

/// Writes nm-ib's files first, so that the port always has its name: at first from both files.
Status give_names(const Imports &plan, const NameRequest &request)
{
    std::set<const PortIdentity *> named;
    for (const auto &i : plan.all) {
        if (!i.left.empty() || !named.insert(i.port).second) continue;
        Json one;
        if (auto done = give_name(*i.port, i.name(), i.files, request, one); !done) return done;
    }
    return {};
}

Status take_out_of_files(const Imports &plan, bool silent, Json &copies)
{
    for (const auto &file : plan.files) {
        std::vector<FragileName> names;
        for (const auto &i : plan.all)
            if (i.file == &file && i.left.empty()) names.push_back(*i.fragile);
        if (names.empty()) continue;
        const auto copy = take_out(file, names);
        if (!copy) return failed(copy.error().what);
        copies.push_back(*copy);
        if (!silent) print(form("{}: replaced; a copy is {}\n", printable(file.path), printable(*copy)));
    }
    return {};
}

Status carry_out(const Imports &plan, const NameRequest &request, Json &report)
{
    if (auto done = give_names(plan, request); !done) return done;
    return take_out_of_files(plan, request.json, report["copies"]);
}

void print_imports(const Imports &plan)
{
    print(plan.all.empty() ? std::string(_("Nothing to import: no name is tied to a hardware address.")) + "\n"
                           : table_of(plan));
    for (const auto &i : plan.all)
        if (i.left.empty())
            for (const auto &w : i.files.warnings) note(form("warning: {}", w));
}
} // namespace

Status import_names(const NameRequest &request)
{
    auto plan = find_imports(request);
    if (!plan) return refusal_of(plan.error());
    if (!request.json) print_imports(*plan);
    const bool possible =
        std::any_of(plan->all.begin(), plan->all.end(), [](const Import &i) { return i.left.empty(); });
    const auto write = writes(request, possible, _("Import these names?"));
    if (!write) return write.error();
    auto report = json_object();
    report.update({{"changed", possible && request.dry_run},
                   {"initramfs", "none"},
                   {"copies", Json::array()},
                   {"found", Json::array()}});
    Status done;
    if (*write) {
        done = carry_out(*plan, request, report);
        report["changed"] = true;
        report["initramfs"] = rebuild_initramfs(request);
    }
    for (const auto &i : plan->all) report["found"].push_back(json_of_import(i, *write && done));
    if (request.json)
        print_json(report);
    else if (possible && !*write)
        note(_("nothing was written\n"
               "To import the names:\n"
               "  nm-ib name import --yes"));
    return done;
}

} // namespace nmib::cli
