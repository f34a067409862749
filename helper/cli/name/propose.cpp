// SPDX-License-Identifier: LGPL-2.1-or-later
/// name propose: names for a whole machine.
#include "core/name/proposal.hpp"

#include "cli/base/table.hpp"
#include "cli/connection/advice.hpp"
#include "cli/name/report.hpp"
#include "cli/name/set.hpp"
#include "cli/name/world.hpp"
#include "core/base/printable.hpp"

#include <algorithm>

namespace nmib::cli
{

namespace
{
/// A proposal, and what it takes or why it cannot be.
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

std::optional<Failure> propose_names_verb(const NameRequest &request)
{
    const auto world = read_naming_world();
    if (!world) return refused(world.error());
    std::vector<Item> items;
    for (const auto &p : propose_names(*world))
        items.push_back({p, name_files(*world, *p.port, p.name.str(), request)});
    const auto possible = std::any_of(items.begin(), items.end(), [](const Item &i) { return bool(i.files); });

    auto report = json_object();
    report.update({{"changed", false}, {"names", Json::array()}});
    if (!request.json)
        print(world->ports.empty() ? std::string(_("No InfiniBand port is there.")) + "\n"
              : items.empty()      ? std::string(_("Every InfiniBand port has a name of ours.")) + "\n"
                                   : table_of(items));
    const bool write =
        possible && !request.dry_run && (request.yes || (!request.json && agrees(_("Write these files?"))));
    if (write)
        if (auto failure = refuse_unless_root()) return failure;
    std::optional<Failure> failure;
    for (const auto &i : items) {
        auto one = json_of(*i.proposal.port);
        one["name"] = i.files ? Json(i.proposal.name.str()) : Json();
        if (!i.files) one["refused"] = i.files.error().what;
        if (i.files && write) {
            failure = give_name(*i.proposal.port, i.proposal.name.str(), *i.files, request, one);
            if (failure) break; // those before it stay
            report["changed"] = true;
        }
        report["names"].push_back(std::move(one));
    }
    if (report["changed"]) report["initramfs"] = tell_initramfs(request);
    if (request.json)
        print_json(report);
    else if (possible && !write)
        note(_("nothing was written. To write these files: nm-ib name propose --yes"));
    return failure;
}

} // namespace nmib::cli
