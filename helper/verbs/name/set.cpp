// SPDX-License-Identifier: LGPL-2.1-or-later
/// name set PORT NAME, name unset PORT|NAME, name propose
#include "verbs/name/set.hpp"

#include "core/base/text.hpp"
#include "core/name/conflict.hpp"
#include "terminal/json.hpp"
#include "terminal/table.hpp"
#include "verbs/name/apply_name.hpp"
#include "verbs/name/name.hpp"
#include "verbs/name/rdma.hpp"
#include "verbs/name/report.hpp"

#include <algorithm>
#include <unistd.h>

namespace nmib::cli
{

namespace
{
/// Finds the port. With `force`, a GUID may be of a port that does not exist yet.
Result<const PortIdentity *> port_for(NamingWorld &world, const std::string &word, bool force)
{
    auto found = find_port(world, word);
    const auto guid = found || found.error().kind != Error::Kind::absent ? std::nullopt : Guid::parse(word);
    if (!guid || guid->value == 0) return found;
    if (!force) return bad(form("{}: no such InfiniBand port; --force overrides this", guid->str()));
    PortIdentity port;
    port.guid = *guid;
    world.ports.push_back(std::move(port));
    return &world.ports.back();
}
} // namespace

Status refuse_unless_root()
{
    if (::geteuid() == 0) return {};
    return Failure{exit_failed, form("Error: only root can write to {}.", link_directory)};
}

Result<bool, Failure> writes(const NameRequest &request, bool possible, const char *question)
{
    if (!possible || request.dry_run || !(request.yes || (!request.json && agrees(question)))) return false;
    if (auto root = refuse_unless_root(); !root) return root.error();
    return true;
}

Status give_name(const PortIdentity &port, const std::string &name, const NameFiles &files, const NameRequest &request,
                 Json &report)
{
    const auto ifname = PortName::parse(name)->ifname();
    auto change = NameChange::of(port, ifname, request);
    if (!change) return refusal_of(change.error());
    const auto written = files.changes() ? write_names(files) : FileChanges{};
    if (!written) return failed(written.error().what);
    if (const auto made = change->make(); !made) {
        const auto undone = written->undo();
        const auto &why = made.error().what;
        return Failure{exit_failed, undone ? form("Error: {}", why) : form("Error: {}; {}", why, undone.error().what)};
    }
    report["name"] = name;
    report["changed"] = files.changes() || change->changes();
    report["file"] = std::string(link_directory) + "/" + file_name(*PortName::parse(name));
    change->add_to(report);
    if (request.json) return {};
    if (!change->in_effect())
        print(form("{} will be called {} at the next boot.\n", label(port), name));
    else if (change->changes())
        print(form("{} is called {} now.\n", label(port), name));
    else
        print(form("{} keeps its name.\n", name));
    change->report();
    return {};
}

namespace
{
Status name_device_too(const std::optional<DeviceName> &device, const NameRequest &request, Json &report)
{
    if (!device) return {};
    auto done = name_device(*device, request, report);
    if (report["rdma"]["changed"]) report["changed"] = true;
    return done;
}
} // namespace

Status set_name(const NameRequest &request)
{
    auto world = read_naming_world();
    if (!world) return refusal_of(world.error());
    const auto port = port_for(*world, request.words[0], request.force);
    if (!port) return refusal_of(port.error());
    const auto &name = request.words[1];
    const auto files = name_files(*world, **port, name, request);
    if (!files) return refusal_of(files.error());
    std::optional<DeviceName> device;
    if (request.rdma) {
        auto plan = device_name(*world, **port, request);
        if (!plan) return refusal_of(plan.error());
        device = std::move(*plan);
    }
    for (const auto &w : files->warnings) note(form("warning: {}", w));
    for (const auto &w : device ? device->files.warnings : Words{}) note(form("warning: {}", w));

    auto report = json_object();
    report.update(json_of(**port));
    if (request.dry_run) {
        const auto change = NameChange::of(**port, PortName::parse(name)->ifname(), request);
        if (!change) return refusal_of(change.error());
        change->add_to(report);
        report["changed"] = files->changes();
        report["name"] = name;
        report["file"] = std::string(link_directory) + "/" + file_name(*PortName::parse(name));
        report["initramfs"] = "none";
        report["text"] = files->text;
        if (!request.json) {
            change->print_bound();
            print(files->write.empty() ? form("{}: nothing to change\n", label(**port)) : files->text);
        }
        (void)name_device_too(device, request, report);
        if (request.json) print_json(report);
        return {};
    }
    if (auto done = refuse_unless_root(); !done) return done;
    const auto rule = device && device->files.changes() ? write_names(device->files) : FileChanges{};
    if (!rule) return failed(rule.error().what);
    if (auto done = give_name(**port, name, *files, request, report); !done) {
        (void)rule->undo();
        return done;
    }
    auto named = name_device_too(device, request, report);
    report["initramfs"] = files->changes() ? rebuild_initramfs(request) : "none";
    if (request.json) print_json(report);
    return named;
}

namespace
{
const LinkConfig *own_file(const NamingWorld &world, const std::string &word)
{
    for (const auto &c : world.configs)
        if (const auto name = name_in(c.file); name && name->view() == word && is_ours(c)) return &c;
    const auto port = find_port(world, word);
    if (port) return world.own_file(**port);
    const auto guid = Guid::parse(word);
    for (const auto &c : world.configs) // of a port that is absent
        if (const auto match = is_ours(c) ? match_of(c) : std::nullopt; match) {
            const auto *by_guid = std::get_if<ByGuid>(&*match);
            if (guid && by_guid && by_guid->guid == *guid) return &c;
        }
    return nullptr;
}
} // namespace

Status unset_name(const NameRequest &request)
{
    const auto world = read_naming_world();
    if (!world) return refusal_of(world.error());
    if (request.rdma) return unset_device_name(*world, request);
    const auto &word = request.words[0];
    const auto is_word = [&](const RdmaRule &rule) { return rule.name.view() == word; };
    const auto *own = own_file(*world, word);
    if (std::any_of(world->rdma_rules.begin(), world->rdma_rules.end(), is_word) &&
        !(own && name_in(own->file)->view() == word))
        return refused(form("{} is the name of an RDMA device\n"
                            "To remove this name:\n"
                            "  nm-ib name unset {} --rdma",
                            printable(word), printable(word)));
    if (!own && !find_port(*world, word) && !PortName::parse(word)) return refusal_of(find_port(*world, word).error());
    auto report = json_object();
    report.update({{"changed", own != nullptr}, {"file", Json()}, {"profiles", Json::array()}, {"initramfs", "none"}});
    if (!own) { // no error: a second run changes nothing
        if (request.json)
            print_json(report);
        else
            note(form("{}: no name from nm-ib, nothing to remove", printable(word)));
        return {};
    }
    const auto files = removal_of(*own, request);
    if (!files) return refusal_of(files.error());
    report["file"] = own->path;
    const auto bound = bound_profiles(name_in(own->file)->ifname());
    if (!bound) return refusal_of(bound.error());
    report["profiles"] = *bound;
    if (!request.dry_run) {
        if (auto done = refuse_unless_root(); !done) return done;
        const auto done = write_names(*files);
        if (!done) return failed(done.error().what);
        report["initramfs"] = rebuild_initramfs(request);
    }
    if (request.json) {
        print_json(report);
        return {};
    }
    print(request.dry_run
              ? form("{} would be removed.\n", printable(own->path))
              : form("{} is removed; from the next boot on, the system names the port.\n", printable(own->path)));
    for (const auto &profile : *bound)
        note(form("warning: profile {} is bound to {}, and will not find the port at the next boot", profile,
                  name_in(own->file)->str()));
    return {};
}

namespace
{
struct Item {
    Proposal proposal;
    Result<NameFiles> files;
};

std::string table_of(const std::vector<Item> &items)
{
    Rows rows{.titles = {"PORT", "GUID", "INTERFACE", "PROPOSED", "NOTE"}};
    for (const auto &i : items) {
        const auto &port = *i.proposal.port;
        rows.rows.push_back(
            {printable(port.label()), port.guid.str(), port.interface ? printable(port.interface->name.view()) : "",
             i.files ? i.proposal.name.str() : "", i.files ? join(i.files->warnings, "; ") : i.files.error().what});
    }
    return *table({}, rows);
}
} // namespace

Status propose_names_verb(const NameRequest &request)
{
    const auto world = read_naming_world();
    if (!world) return refusal_of(world.error());
    if (request.rdma) return propose_device_names(*world, request);
    std::vector<Item> items;
    for (const auto &p : propose_names(*world))
        items.push_back({p, name_files(*world, *p.port, p.name.str(), request)});
    const auto possible = std::any_of(items.begin(), items.end(), [](const Item &i) { return bool(i.files); });

    auto report = json_object();
    report.update({{"changed", possible && request.dry_run}, {"initramfs", "none"}, {"names", Json::array()}});
    if (!request.json)
        print(world->ports.empty() ? std::string(_("No InfiniBand port found.")) + "\n"
              : items.empty()      ? std::string(_("Every InfiniBand port has a name from nm-ib.")) + "\n"
                                   : table_of(items));
    const auto write = writes(request, possible, _("Write these files?"));
    if (!write) return write.error();
    Status done;
    for (const auto &i : items) {
        auto one = json_of(*i.proposal.port);
        one["name"] = i.files ? Json(i.proposal.name.str()) : Json();
        if (!i.files) one["refused"] = i.files.error().what;
        if (i.files && *write) {
            done = give_name(*i.proposal.port, i.proposal.name.str(), *i.files, request, one);
            if (!done) break; // the names before stay
            report["changed"] = true;
        }
        report["names"].push_back(std::move(one));
    }
    if (report["changed"] && !request.dry_run) report["initramfs"] = rebuild_initramfs(request);
    if (request.json)
        print_json(report);
    else if (possible && !*write)
        note(_("nothing was written\n"
               "To write these files:\n"
               "  nm-ib name propose --yes"));
    return done;
}

} // namespace nmib::cli
