// SPDX-License-Identifier: LGPL-2.1-or-later
#include "verbs/doctor/merge/merge.hpp"

#include "core/base/text.hpp"
#include "core/merge/merge.hpp"
#include "terminal/json.hpp"
#include "terminal/table.hpp"
#include "verbs/doctor/doctor.hpp"
#include "verbs/doctor/expect.hpp"
#include "verbs/doctor/input.hpp"
#include "verbs/doctor/merge/host_report.hpp"

#include <algorithm>

namespace nmib::cli
{

namespace
{
Result<HostReport> read_report(const std::string &file)
{
    const auto text = read_input(file);
    if (!text) return text.error();
    auto report = parse_host_report(*text);
    if (!report) return bad(label_of_input(file) + ": " + report.error().what);
    report->file = file;
    return report;
}

/// Reads names of hosts, separated by white space; after '#' a comment.
Result<Words> expected_hosts(const Words &files)
{
    Words all;
    for (const auto &file : files) {
        const auto text = read_input(file);
        if (!text) return text.error();
        for (const auto &line : cut(*text, "\n"))
            for (const auto &host : cut(line.substr(0, line.find('#')), " \t\r")) all.emplace_back(host);
    }
    const auto odd =
        std::find_if(all.begin(), all.end(), [](const auto &h) { return h.find_first_of("[,=") != h.npos; });
    if (odd != all.end())
        return bad(
            form("--hosts: '{}': not the name of one host; the file needs one name on each line, for a list of Slurm: "
                 "scontrol show hostnames LIST",
                 printable(*odd)));
    if (all.empty() && !files.empty()) return bad(_("--hosts: no host in the file"));
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

struct Unread {
    std::string file{}, reason{};
};

Json json_of(const Merged &merged, const std::vector<Unread> &unread, std::size_t ignored)
{
    auto json = json_object();
    json.update({{"hosts", merged.hosts}, {"ports", merged.ports}, {"ignored", ignored}});
    json["unread"] = Json::array();
    for (const auto &u : unread) json["unread"].push_back({{"file", u.file}, {"reason", u.reason}});
    json["findings"] = cli::json_of(merged.troubles);
    for (std::size_t i = 0; i < merged.troubles.size(); i++) {
        json["findings"][i].erase("consequences");
        json["findings"][i]["hosts"] = merged.troubles[i].hosts;
    }
    return json;
}
} // namespace

Status merge_hosts(const Request &request)
{
    const auto files = request.all("--merge");
    const bool as_json = request.has("--json");
    const auto ignored = read_ignored(request.all("--ignore"));
    if (!ignored) return ignored.error();
    const auto expected = expected_hosts(request.all("--hosts"));
    if (!expected) return Failure{exit_usage, form("Error: {}", expected.error().what)};
    std::vector<HostReport> reports;
    std::vector<Unread> unread;
    bool has_ports = false;
    for (const auto &file : files) {
        auto report = read_report(file);
        if (report) {
            has_ports |= report->has_ports;
            reports.push_back(std::move(*report));
            continue;
        }
        complain(form("Error: {}", report.error().what));
        unread.push_back({file, report.error().what});
    }
    if (reports.empty()) return Failure{exit_usage, {}};
    if (!has_ports) complain(_("note: no file has the output of 'nm-ib port --json': nothing was compared"));
    auto merged = merge(std::move(reports), *expected, as_json ? untranslated : translate);
    auto left_out = drop_ignored(merged.troubles, *ignored); // by one port, or as --json shows it
    merged.troubles = combined(std::move(merged.troubles));
    left_out += drop_ignored(merged.troubles, *ignored);
    if (left_out > 0 && !as_json) print(form("Findings left out with --ignore or doctor.ignore: {}", left_out) + "\n");
    if (as_json)
        print_json(json_of(merged, unread, left_out));
    else if (!merged.troubles.empty())
        print(text_of(merged.troubles, is_coloured(request.print)));
    else if (unread.empty())
        print(form("No problem found (hosts: {}, ports: {}).", merged.hosts, merged.ports) + "\n");
    return unread.empty() ? outcome(merged.troubles) : Failure{exit_usage, {}};
}

} // namespace nmib::cli
