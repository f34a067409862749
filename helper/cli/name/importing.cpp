// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/name/importing.hpp"

#include "cli/name/effect.hpp"
#include "cli/name/world.hpp"
#include "core/printable.hpp"
#include "probe/fragile.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace nmib::cli
{

namespace
{
/// The only port with this GUID.
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
    return form(_("not exactly one port of this machine has the GUID %s"), guid.str().c_str());
}

std::string path_of(const PortName &name) { return std::string(link_directory) + "/" + file_name(name); }

/// What a file of ours calls the port.
std::optional<PortName> own_name(const NamingWorld &world, const PortIdentity &port)
{
    const auto *own = world.own_file(port);
    return own ? name_in(own->file) : std::nullopt;
}

/// Another that would be imported and does not go with it: of one port with another name, of one name with another
/// port.
const Import *rival(const Imports &plan, const Import &import)
{
    const auto found = std::find_if(plan.all.begin(), plan.all.end(), [&](const Import &other) {
        return other.left.empty() && (other.port == import.port) != (other.name == import.name);
    });
    return found == plan.all.end() ? nullptr : &*found;
}

std::string obstacle(const Imports &plan, const Import &import, bool force)
{
    const auto &fragile = *import.fragile;
    if (!import.port) return without_port(fragile.guid);
    if (fragile.name.empty()) return _("it gives no name");
    if (fragile.loss != FragileName::Loss::none && !(force && fragile.can_be_forced())) {
        const auto why = text(fragile, translate);
        return fragile.can_be_forced() ? form(_("%s (or --force)"), why.c_str()) : why;
    }
    if (!import.file->path.starts_with("/etc/")) return _("it is not below /etc: change what it comes from");
    if (const auto *other = rival(plan, import))
        return form(_("%s gives the name %s to %s"), printable(other->where).c_str(), printable(other->name).c_str(),
                    label(*other->port).c_str());
    const auto own = own_name(plan.world, *import.port);
    if (own && own->view() != import.name && !force)
        return form(_("nm-ib calls %s %s already (or --force)"), label(*import.port).c_str(), own->str().c_str());
    return {};
}

void add_files(Imports &plan, bool force)
{
    for (const auto &file : plan.files) {
        for (const auto &fragile : file.names) {
            Import i{.kind = id(file.kind), .where = file.path, .name = fragile.name};
            if (file.kind == FragileFile::Kind::rule) i.where += ":" + std::to_string(fragile.last_line);
            i.port = port_with(plan.world, fragile.guid);
            i.file = &file;
            i.fragile = &fragile;
            i.left = obstacle(plan, i, force);
            plan.all.push_back(std::move(i));
        }
    }
}

/// The world once everything is taken out that can be.
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

/// What is left stands against what is to be imported, so it is looked at again as long as more has to be left.
void settle(Imports &plan, const NameRequest &request)
{
    for (bool again = true; again;) {
        again = false;
        const auto rest = rest_of(plan);
        for (auto &i : plan.all) {
            if (!i.left.empty()) continue;
            const auto &port = rest.ports[static_cast<std::size_t>(i.port - plan.world.ports.data())];
            auto files = name_files(rest, port, i.name, request);
            const auto effect =
                files ? Effect::of(*i.port, PortName::parse(i.name)->ifname(), request) : Result<Effect>(files.error());
            if (effect)
                i.files = std::move(*files);
            else
                i.left = effect.error().what;
            again = again || !effect;
        }
    }
    for (auto &i : plan.all)
        if (i.left.empty()) i.becomes = path_of(*PortName::parse(i.name));
}

/// The names that ports have, or are going to have, from files of ours.
std::map<Guid, IfName> stable_names(const Imports &plan)
{
    std::map<Guid, IfName> names;
    for (const auto &port : plan.world.ports) {
        if (!port_with(plan.world, port.guid)) continue;
        if (const auto own = own_name(plan.world, port)) names.emplace(port.guid, own->ifname());
        for (const auto &i : plan.all)
            if (i.port == &port && i.left.empty()) names.insert_or_assign(port.guid, PortName::parse(i.name)->ifname());
    }
    return names;
}

bool is_called(const PortIdentity &port, const IfName &name) { return port.interface && port.interface->name == name; }

Import import_of(NMConnection *profile, Guid guid, const Imports &plan, const std::map<Guid, IfName> &names, bool force)
{
    Import i{.kind = "profile", .where = str(nm_connection_get_id(profile))};
    i.uuid = str(nm_connection_get_uuid(profile));
    i.port = port_with(plan.world, guid);
    const auto name = names.find(guid);
    if (!i.port)
        i.left = without_port(guid);
    else if (name == names.end())
        i.left = form(_("nm-ib gave %s no name; first: nm-ib name set %s NAME"), label(*i.port).c_str(),
                      label(*i.port).c_str());
    else if (!is_called(*i.port, name->second) && !force)
        i.left = form(_("%s will be called %s at the next boot; import it then (or --force)"), label(*i.port).c_str(),
                      printable(name->second.view()).c_str());
    else
        i.name = name->second.str();
    return i;
}

Result<void> add_profiles(Imports &plan, bool force)
{
    const auto names = stable_names(plan);
    std::vector<Import> found;
    const auto looked = ProfileMove::of(*plan.daemon, [&](NMConnection *c) {
        const auto guid = bound_by_address(c);
        if (!guid) return std::vector<Edit>{};
        found.push_back(import_of(c, *guid, plan, names, force));
        return found.back().left.empty() ? bind_to_name(c, names.at(*guid)) : std::vector<Edit>{};
    });
    if (!looked) return looked.error();
    std::set<std::string> possible;
    for (const auto &b : looked->bindings()) {
        const auto i = std::find_if(found.begin(), found.end(), [&](const Import &f) { return f.uuid == b.uuid; });
        i->becomes = b.edits.front().property + " " + b.edits.front().to;
        i->left = b.hindrance;
        if (b.hindrance.empty()) possible.insert(b.uuid);
    }
    std::move(found.begin(), found.end(), std::back_inserter(plan.all));
    if (possible.empty()) return {};
    auto move = ProfileMove::of(*plan.daemon, [names, possible](NMConnection *c) {
        const auto guid = bound_by_address(c);
        const bool is_one = guid && names.contains(*guid) && possible.contains(str(nm_connection_get_uuid(c)));
        return is_one ? bind_to_name(c, names.at(*guid)) : std::vector<Edit>{};
    });
    if (!move) return move.error();
    plan.profiles = std::make_unique<ProfileMove>(std::move(*move));
    return {};
}
} // namespace

bool Imports::possible() const
{
    return std::any_of(all.begin(), all.end(), [](const Import &i) { return i.left.empty(); });
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
    settle(plan, request);
    auto connected = Daemon::connect();
    if (auto *daemon = std::get_if<Daemon>(&connected)) {
        plan.daemon = std::make_unique<Daemon>(std::move(*daemon));
        if (const auto r = add_profiles(plan, request.force); !r) return r.error();
    }
    return plan;
}

} // namespace nmib::cli
