// SPDX-License-Identifier: LGPL-2.1-or-later
/// name set PORT NAME
#include "cli/name/set.hpp"

#include "cli/connection/advice.hpp"
#include "cli/name/apply_name.hpp"
#include "cli/name/report.hpp"
#include "cli/name/world.hpp"
#include "cli/plan/machine.hpp"
#include "core/base/printable.hpp"

#include <unistd.h>

namespace nmib::cli
{

namespace
{
/// The port, also one that is not there, where --force says that it will be.
Result<const PortIdentity *> port_for(NamingWorld &world, const std::string &word, bool force)
{
    auto found = find_port(world, word);
    const auto guid = found || found.error().kind != Error::Kind::absent ? std::nullopt : Guid::parse(word);
    if (!guid || guid->value == 0) return found;
    if (!force)
        return bad(
            form(_("no port of this machine has the GUID %s; --force names it all the same"), guid->str().c_str()));
    PortIdentity port;
    port.guid = *guid;
    world.ports.push_back(std::move(port));
    return &world.ports.back();
}
} // namespace

Failure refused(const Error &why)
{
    auto failure = failure_of(why);
    if (why.kind == Error::Kind::invalid || why.kind == Error::Kind::refused) failure.code = exit_usage;
    return failure;
}

std::optional<Failure> refuse_unless_root()
{
    if (::geteuid() == 0) return {};
    return Failure{exit_failed, form(_("Error: only root can write to %s."), std::string(link_directory).c_str())};
}

std::optional<Failure> give_name(const PortIdentity &port, const std::string &name, const NameFiles &files,
                                 const NameRequest &request, Json &report)
{
    const auto ifname = PortName::parse(name)->ifname();
    auto effect = Effect::of(port, ifname, request);
    if (!effect) return refused(effect.error());
    const auto written = files.changes() ? write_names(files) : FileChanges{};
    if (!written) return Failure{exit_failed, form(_("Error: %s"), written.error().what.c_str())};
    if (const auto made = effect->make(); !made) {
        const auto undone = written->undo();
        const auto &why = made.error().what;
        return Failure{exit_failed, undone ? form(_("Error: %s"), why.c_str())
                                           : form(_("Error: %s; %s"), why.c_str(), undone.error().what.c_str())};
    }
    report["name"] = name;
    report["changed"] = files.changes() || effect->changes();
    report["file"] = std::string(link_directory) + "/" + file_name(*PortName::parse(name));
    effect->add_to(report);
    if (request.json) return {};
    if (!effect->in_effect())
        print(form(_("%s will be called %s at the next boot.\n"), label(port).c_str(), name.c_str()));
    else if (effect->changes())
        print(form(_("%s is called %s now.\n"), label(port).c_str(), name.c_str()));
    else
        print(form(_("%s keeps its name.\n"), name.c_str()));
    effect->tell();
    return {};
}

std::optional<Failure> set_name(const NameRequest &request)
{
    auto world = read_naming_world();
    if (!world) return refused(world.error());
    const auto port = port_for(*world, request.words[0], request.force);
    if (!port) return refused(port.error());
    const auto &name = request.words[1];
    const auto files = name_files(*world, **port, name, request);
    if (!files) return refused(files.error());
    for (const auto &w : files->warnings) note(form(_("warning: %s"), w.c_str()));

    auto report = json_object();
    report.update(json_of(**port));
    if (request.dry_run) {
        const auto effect = Effect::of(**port, PortName::parse(name)->ifname(), request);
        if (!effect) return refused(effect.error());
        effect->add_to(report);
        report["changed"] = files->changes();
        report["text"] = files->text;
        if (request.json)
            print_json(report);
        else {
            effect->tell_bound();
            print(files->write.empty() ? form(_("%s: nothing to change\n"), label(**port).c_str()) : files->text);
        }
        return {};
    }
    if (auto failure = refuse_unless_root()) return failure;
    if (auto failure = give_name(**port, name, *files, request, report)) return failure;
    report["initramfs"] = files->changes() ? tell_initramfs(request) : "none";
    if (request.json) print_json(report);
    return {};
}

} // namespace nmib::cli
