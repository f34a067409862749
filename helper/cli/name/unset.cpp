// SPDX-License-Identifier: LGPL-2.1-or-later
/// name unset PORT|NAME
#include "cli/connection/advice.hpp"
#include "cli/name/apply_name.hpp"
#include "cli/name/report.hpp"
#include "cli/name/set.hpp"
#include "cli/name/world.hpp"
#include "core/base/printable.hpp"

namespace nmib::cli
{

namespace
{
/// The file of ours that a word means: of the name, or of the port.
const LinkConfig *own_file(const NamingWorld &world, const std::string &word)
{
    for (const auto &c : world.configs)
        if (const auto name = name_in(c.file); name && name->view() == word && is_ours(c)) return &c;
    const auto port = find_port(world, word);
    return port ? world.own_file(**port) : nullptr;
}
} // namespace

std::optional<Failure> unset_name(const NameRequest &request)
{
    const auto world = read_naming_world();
    if (!world) return refused(world.error());
    const auto &word = request.words[0];
    const auto *own = own_file(*world, word);
    if (!own && !find_port(*world, word) && !PortName::parse(word)) return refused(find_port(*world, word).error());
    auto report = json_object();
    report["changed"] = own != nullptr;
    if (!own) { // also of a name that was never given: twice is once
        if (request.json)
            print_json(report);
        else
            note(form(_("%s: nm-ib gave it no name, nothing to remove"), printable(word).c_str()));
        return {};
    }
    const auto files = removal_of(*own, request);
    if (!files) return refused(files.error());
    report["file"] = own->path;
    const auto bound = bound_profiles(name_in(own->file)->ifname());
    if (!bound) return refused(bound.error());
    report["profiles"] = *bound;
    if (!request.dry_run) {
        if (auto failure = refuse_unless_root()) return failure;
        const auto done = write_names(*files);
        if (!done) return Failure{exit_failed, form(_("Error: %s"), done.error().what.c_str())};
        report["initramfs"] = tell_initramfs(request);
    }
    if (request.json) {
        print_json(report);
        return {};
    }
    print(form(request.dry_run ? _("%s would be removed.\n")
                               : _("%s is removed; from the next boot on the port has the name that the "
                                   "system gives it.\n"),
               printable(own->path).c_str()));
    for (const auto &profile : *bound)
        note(form(_("warning: profile %s is bound to %s, and will not find the port at the next boot"), profile.c_str(),
                  name_in(own->file)->str().c_str()));
    return {};
}

} // namespace nmib::cli
