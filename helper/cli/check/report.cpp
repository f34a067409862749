// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/check/report.hpp"

#include "cli/base/table.hpp"
#include "core/check/rate.hpp"

namespace nmib::cli
{

namespace
{
/// Text that begins in a new line, below the rows.
std::string way_out(const std::string &mend) { return mend.empty() ? mend : "  => " + mend + "\n"; }

Json json_of(const LinkSeen &link)
{
    if (link.interface.empty()) return {};
    return {{"name", link.interface},
            {"port", or_null(link.port)},
            {"mode", link.mode ? Json(name(*link.mode)) : Json()},
            {"mtu", link.mtu},
            {"data_rate_mbps", or_null(link.data_rate)},
            {"pci_rate_mbps", or_null(link.pci_rate)}};
}
} // namespace

std::string text_of(const CheckStep &step)
{
    return padded(_(word(step.name)), 12) + " " + padded(_(word(step.state)), 8) + " " + seen(step, translate) + "\n" +
           way_out(mend(step, translate));
}

Result<std::string> table_of(const Options &options, const CheckReport &report)
{
    Rows rows{{"STEP", "RESULT", "SEEN", "MEND"}, {}};
    for (const auto &s : report.steps)
        rows.rows.push_back(
            {std::string(id(s.name)), std::string(id(s.state)), seen(s, translate), mend(s, translate)});
    return table(options, rows);
}

Json json_of(const CheckReport &report)
{
    auto json = json_object();
    json.update({{"peer", report.peer},
                 {"address", report.address},
                 {"interface", json_of(report.link)},
                 {"steps", Json::array()},
                 {"throughput", Json()}});
    for (const auto &s : report.steps)
        json["steps"].push_back(
            {{"step", id(s.name)}, {"result", id(s.state)}, {"seen", seen(s)}, {"mend", or_null(mend(s))}});
    if (const auto &i = report.iperf) json["throughput"] = {{"mbps", i->mbps}, {"segment_size", i->mss}};
    return json;
}

} // namespace nmib::cli
