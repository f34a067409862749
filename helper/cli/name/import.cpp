// SPDX-License-Identifier: LGPL-2.1-or-later
/// name import: names that hang on an address get the form that stays.
#include "apply/fragile.hpp"
#include "cli/base/table.hpp"
#include "cli/fabric/advice.hpp"
#include "cli/name/importing.hpp"
#include "cli/name/report.hpp"
#include "cli/name/set.hpp"
#include "cli/name/world.hpp"
#include "core/printable.hpp"

#include <algorithm>
#include <set>

namespace nmib::cli
{

namespace
{
std::string table_of(const Imports &plan)
{
    Rows rows{.titles = {"KIND", "WHERE", "PORT", "NAME", "BECOMES"}};
    for (const auto &i : plan.all)
        rows.rows.push_back({i.kind, printable(i.where), i.port ? label(*i.port) : "", printable(i.name),
                             i.left.empty() ? i.becomes : form(_("left as it is: %s"), i.left.c_str())});
    return *table({}, rows);
}

Json json_of(const Import &i, bool done)
{
    Json j = {{"kind", i.kind}, {"where", i.where}};
    j["port"] = i.port ? Json(i.port->label()) : Json();
    j["name"] = i.name.empty() ? Json() : Json(i.name);
    j["becomes"] = i.left.empty() ? Json(i.becomes) : Json();
    j["state"] = !i.left.empty() ? "left" : done ? "imported" : "possible";
    if (!i.left.empty()) j["reason"] = i.left;
    if (!i.uuid.empty()) j["uuid"] = i.uuid;
    return j;
}

Failure failed(const Error &why) { return {exit_failed, form(_("Error: %s"), why.what.c_str())}; }

/// Our files come first: until the others are gone, a port has its name from both.
std::optional<Failure> give_names(const Imports &plan, const NameRequest &request)
{
    std::set<const PortIdentity *> named;
    for (const auto &i : plan.all) {
        if (!i.left.empty() || !i.file || !named.insert(i.port).second) continue;
        Json one;
        if (auto failure = give_name(*i.port, i.name, i.files, request, one)) return failure;
    }
    return {};
}

std::optional<Failure> take_out_of_files(const Imports &plan, bool silent, Json &copies)
{
    for (const auto &file : plan.files) {
        std::vector<FragileName> names;
        for (const auto &i : plan.all)
            if (i.file == &file && i.left.empty()) names.push_back(*i.fragile);
        if (names.empty()) continue;
        const auto copy = take_out(file, names);
        if (!copy) return failed(copy.error());
        copies.push_back(*copy);
        if (!silent)
            print(form(_("%s: replaced; a copy is %s\n"), printable(file.path).c_str(), printable(*copy).c_str()));
        if (file.kind == FragileFile::Kind::ifcfg && plan.daemon)
            note(form(_("%s was changed. For NetworkManager to take it: nmcli connection reload"),
                      printable(file.path).c_str()));
    }
    return {};
}

std::optional<Failure> carry_out(const Imports &plan, const NameRequest &request, Json &report)
{
    if (auto failure = give_names(plan, request)) return failure;
    auto &copies = report["copies"] = Json::array();
    if (auto failure = take_out_of_files(plan, request.json, copies)) return failure;
    if (!plan.profiles) return {};
    if (const auto made = plan.profiles->make(); !made) return failed(made.error());
    const auto back = plan.profiles->to_go_back();
    report["to_go_back"] = back;
    if (request.json || back.empty()) return {};
    print(_("Profiles were changed. To go back:\n"));
    for (const auto &line : back) print("  " + line + "\n");
    return {};
}

void tell(const Imports &plan)
{
    print(plan.all.empty() ? std::string(_("No name hangs on the address of a port.")) + "\n" : table_of(plan));
    for (const auto &i : plan.all)
        if (i.left.empty())
            for (const auto &w : i.files.warnings) note(form(_("warning: %s"), w.c_str()));
    if (!plan.daemon) note(_("NetworkManager is not running: its profiles were not looked at"));
}
} // namespace

std::optional<Failure> import_names(const NameRequest &request)
{
    auto plan = find_imports(request);
    if (!plan) return refused(plan.error());
    if (!request.json) tell(*plan);
    const bool possible = plan->possible();
    const bool write =
        possible && !request.dry_run && (request.yes || (!request.json && agrees(_("Import what can be?"))));
    auto report = json_object();
    report.update({{"changed", false}, {"found", Json::array()}});
    std::optional<Failure> failure;
    if (write) failure = refuse_unless_root();
    if (failure) return failure;
    if (write) {
        failure = carry_out(*plan, request, report);
        report["changed"] = true;
        report["initramfs"] = tell_initramfs(request);
    }
    for (const auto &i : plan->all) report["found"].push_back(json_of(i, write && !failure));
    if (request.json)
        print_json(report);
    else if (possible && !write)
        note(_("nothing was written. To import what can be: nm-ib name import --yes"));
    return failure;
}

} // namespace nmib::cli
