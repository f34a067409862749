// SPDX-License-Identifier: LGPL-2.1-or-later
/// host: what is set by whom, what is in effect, what needs a restart.
#include "cli/base/json.hpp"
#include "cli/base/table.hpp"
#include "cli/host/rows.hpp"
#include "cli/host/writing.hpp"
#include "core/printable.hpp"

namespace nmib::cli
{

namespace
{
void print_json(const HostRows &rows)
{
    auto all = json_object();
    all.update({{"changed", false}, {"settings", Json::array()}});
    for (const auto &r : rows)
        all["settings"].push_back({{"noun", r.noun},
                                   {"setting", or_null(r.setting)},
                                   {"file", or_null(r.file)},
                                   {"by_nm_ib", r.ours},
                                   {"in_effect", or_null(r.effect)},
                                   {"needs", or_null(r.needs)}});
    cli::print_json(all);
}
} // namespace

std::optional<Failure> list_host(const HostRequest &request)
{
    HostRows rows;
    add_memlock_rows(rows);
    add_nfs_server_rows(rows);
    add_module_rows(rows);
    add_opensm_rows(rows);
    if (request.json) {
        print_json(rows);
        return {};
    }
    Rows shown{.titles = {"NOUN", "SETTING", "FILE", "BY-NM-IB", "IN-EFFECT", "NEEDS"}};
    for (const auto &r : rows)
        shown.rows.push_back({r.noun, printable(r.setting), printable(r.file), r.ours ? _("yes") : _("no"),
                              printable(r.effect), printable(r.needs)});
    const auto text = table(request.print, shown);
    if (!text) return host_refused(text.error().what);
    print(*text);
    return {};
}

} // namespace nmib::cli
