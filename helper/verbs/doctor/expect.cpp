// SPDX-License-Identifier: LGPL-2.1-or-later
#include "verbs/doctor/expect.hpp"

#include "core/base/text.hpp"
#include "core/doctor/diagnose.hpp"
#include "core/merge/merge.hpp"
#include "probe/base/dir.hpp"
#include "probe/base/keyfile.hpp"
#include "probe/rdma/facts.hpp"
#include "verbs/doctor/input.hpp"

#include <algorithm>
#include <unistd.h>

namespace nmib::cli
{

namespace
{
Result<Expected> read_expected(const std::string &file)
{
    const auto text = read_input(file);
    if (!text) return text.error();
    const auto parsed = Keyfile::parse(*text, printable(file));
    if (!parsed) return parsed.error();
    Expected all;
    for (const auto &group : parsed->groups()) {
        auto &values = all[group]; // without keys: it has to be there
        for (const auto &key : parsed->keys(group)) values[key] = parsed->get(group, key).value_or("");
        auto wrong = impossible_line(group, values);
        if (!wrong) wrong = parsed->repeated_key(group);
        if (wrong)
            return bad(form("{}: [{}]: {}: unknown or repeated key, or invalid value; for a valid file: nm-ib doctor "
                            "--expect now",
                            printable(file), printable(group), printable(*wrong)));
    }
    if (all.empty())
        return bad(form("{}: the file has no group; for a valid file: nm-ib doctor --expect now", printable(file)));
    return all;
}
} // namespace

Result<Expectations> parse_expectations(const Words &words)
{
    Expectations all;
    for (const auto &word : words) {
        if (const auto ports = ExpectedPorts::parse(word)) {
            all.ports.push_back(*ports);
            continue;
        }
        if (word.find('@') != word.npos && word.find_first_not_of("0123456789@.-+KMGbps ") == word.npos)
            return bad(form("'{}': not COUNT@GBPS, for example 8@400", printable(word)));
        auto values = read_expected(word);
        if (!values && values.error().kind == Error::Kind::absent && word.find('/') == word.npos)
            return bad(form("'{}': neither COUNT@GBPS, for example 8@400, nor a file", printable(word)));
        if (!values) return values.error();
        all.values.push_back(std::move(*values));
    }
    return all;
}

std::vector<Trouble> compare(const Host &host, const Expectations &expectations)
{
    std::vector<Trouble> all;
    const auto add = [&](std::vector<Trouble> some) { all.insert(all.end(), some.begin(), some.end()); };
    for (const auto &values : expectations.values) add(nmib::compare(host, values));
    for (const auto &ports : expectations.ports) add(nmib::compare(host, ports));
    return all;
}

std::string expectation_file(const Host &host)
{
    std::string text = "# nm-ib doctor --expect FILE\n";
    for (const auto &[where, values] : present(host)) {
        const auto state = values.find("state"), up = values.find("up");
        if (up != values.end() && up->second == "no") continue;
        text += "\n[" + where + "]\n";
        const bool is_down = state != values.end() && state->second != "Active";
        if (is_down) complain(form("note: {} is {}: the file expects no link there", printable(where), state->second));
        for (const auto &[key, value] : values) {
            if ((is_down && key != "link_layer") || (key == "carrier" && value == "no")) continue;
            const bool is_manager = key == "subnet_manager" && value != "no"; // another manager may take over
            std::string escaped;
            for (const auto c : is_manager ? std::string("yes") : value)
                escaped += c == '\\' ? "\\\\" : std::string(1, c);
            text += key + "=" + escaped + "\n";
        }
    }
    return text;
}

namespace
{
bool is_known(const std::string &id)
{
    for (const auto &kinds : catalogue::all)
        for (const auto &kind : kinds)
            if (kind.id == id) return *kind.why != '\0'; // otherwise only plan and the logs have it
    return false;
}

Ignored parse_ignored(const std::string &word)
{
    const auto colon = word.find(':');
    return {word.substr(0, colon), colon == word.npos ? "" : word.substr(colon + 1)};
}
} // namespace

Status check_finding(const std::string &id)
{
    if (is_known(id)) return {};
    return Failure{exit_usage, form("Error: unknown finding '{}'\n"
                                    "For a list of the findings, see nm-ib-doctor(7).",
                                    printable(id))};
}

Result<std::vector<Ignored>, Failure> read_ignored(const Words &words)
{
    std::vector<Ignored> all;
    for (const auto &word : words) {
        all.push_back(parse_ignored(word));
        if (auto known = check_finding(all.back().id); !known) return known.error();
    }
    const auto path = split_path(words_directory).first + "/doctor.ignore";
    const auto text = read_file(path);
    if (!text && text.error().kind != Error::Kind::absent) return failure_of(text.error());
    for (const auto &line : cut(text ? *text : "", "\n")) {
        const auto entry = line.substr(0, line.find('#'));
        const auto word = trim(entry);
        if (word.empty()) continue;
        all.push_back(parse_ignored(std::string(word)));
        // Another version may know the finding.
        if (!is_known(all.back().id))
            complain(form("{}: unknown finding '{}', ignoring", path, printable(all.back().id)));
    }
    return all;
}

std::size_t drop_ignored(std::vector<Trouble> &all, const std::vector<Ignored> &ignored)
{
    return std::erase_if(all, [&](const Trouble &t) {
        return std::any_of(ignored.begin(), ignored.end(), [&](const Ignored &i) {
            return i.id == t.kind->id && (i.where.empty() || i.where == t.where);
        });
    });
}

} // namespace nmib::cli
