// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/base/json.hpp"
#include "cli/base/table.hpp"
#include "cli/host/host.hpp"
#include "core/base/printable.hpp"

namespace nmib::cli
{

namespace
{
std::optional<Failure> print_rows(const Request &request, const HostRows &rows)
{
    if (request.has("--json")) {
        auto json = json_object();
        json["changed"] = false;
        json["settings"] = Json::array();
        for (const auto &r : rows)
            json["settings"].push_back({{"noun", r.noun},
                                        {"setting", or_null(r.setting)},
                                        {"file", or_null(r.file)},
                                        {"by_nm_ib", r.ours},
                                        {"in_effect", or_null(r.effect)},
                                        {"needs", or_null(r.needs)},
                                        {"commands", r.commands}});
        print_json(json);
        return {};
    }
    Rows shown{.titles = {"NOUN", "SETTING", "FILE", "BY_NM_IB", "IN_EFFECT", "NEEDS"}};
    for (const auto &r : rows) {
        Words needs;
        if (!r.needs.empty()) needs.push_back(r.needs);
        for (const auto &command : r.commands) needs.push_back(join(command, " "));
        shown.rows.push_back({r.noun, printable(r.setting), printable(r.file), r.ours ? _("yes") : _("no"),
                              printable(r.effect), printable(join(needs, "; "))});
    }
    const auto text = table(request.print, shown);
    if (!text) return host_refused(text.error().what);
    print(*text);
    return {};
}
} // namespace

std::optional<Failure> show_host(const Request &request)
{
    HostRows rows;
    for (auto *add : {add_memlock_rows, add_nfs_server_rows, add_module_rows, add_opensm_rows}) add(rows);
    return print_rows(request, rows);
}

std::optional<Failure> run_noun(const Request &request, HostNoun *noun, AddHostRows *add)
{
    if (!request.words.empty()) return noun(request);
    if (request.has("--dry-run") || request.has("--now") || request.has("--force"))
        return host_refused(_("without words nothing is written"));
    HostRows rows;
    add(rows);
    return print_rows(request, rows);
}

} // namespace nmib::cli
