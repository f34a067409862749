// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/dialogue.hpp"

#include "cli/nmcli/handover.hpp"
#include "cli/prompt.hpp"
#include "cli/rows.hpp"

#include <algorithm>
#include <cstdlib>

namespace nmib::cli
{

namespace
{
/// As nmcli: the end of input, or an interrupt, ends it all.
std::optional<std::string> ask(const std::string &prompt)
{
    auto line = read_line(prompt);
    if (!line) std::exit(exit_failed);
    if (line->empty()) return std::nullopt;
    return line;
}

bool enabled(const Draft &draft, const Row &row) { return &row == &controller_row() && draft.slave_type(); }

bool relevant(const Draft &draft, const Group &group, const Row &row)
{
    return row.alias && draft.find(group) && !draft.asked_or_given.contains(&row) &&
           (!(row.flags & dont_ask) || enabled(draft, row));
}

std::vector<const Row *> relevant_rows(const Draft &draft, const Group &group)
{
    std::vector<const Row *> rows;
    for (const auto *row : group.rows())
        if (relevant(draft, group, *row)) rows.push_back(row);
    return rows;
}

std::string prompt_for(const Draft &draft, const Group &group, const Row &row)
{
    std::string prompt = nm(row.prompt);
    const auto present = row.kind->get(row, draft.find(group), Style::parsable);
    if (row.hint)
        prompt += std::string(" ") + row.hint;
    else if (!present.empty())
        prompt += " [" + present + "]";
    return prompt + ": ";
}

void ask_for(Draft &draft, const Group &group, const Row &row)
{
    const auto prompt = prompt_for(draft, group, row);
    if (row.flags & multi) print(nm("You can specify this option more than once. Press <Enter> when you're done.\n"));
    for (;;) {
        const auto value = ask(prompt);
        const auto failure = set_by_alias(draft, group, row, value ? value->c_str() : nullptr, false);
        draft.speak();
        if (failure)
            complain(failure->text);
        else if (!(row.flags & multi) || !value)
            return;
    }
}

bool wants_options(const Group &group, std::size_t count)
{
    if (count == 1) return true;
    print(form(nm("There are %d optional settings for %s.\n"), static_cast<int>(count), nm(group.pretty_name)));
    const auto answer = ask(form(nm("Do you want to provide them? %s"), "(yes/no) [yes] "));
    return !answer || begins(strip(*answer), "yes");
}
} // namespace

namespace
{
constexpr const char *port_types[] = {"bond-", "bridge-", "team-"};
}

std::optional<Failure> ask_type(Draft &draft, Words &for_nmcli)
{
    const auto &row = *find_row(connection_group, "type");
    for (;;) {
        const auto word = ask(std::string(nm(row.prompt)) + ": ");
        if (!word) continue;
        auto failure = set_by_alias(draft, connection_group, row, word->c_str(), false);
        if (!failure || !is_to_nmcli(*failure)) return failure;
        if (!nmcli_knows_type(*word)) continue;
        // The type of a port is not the same as an answer and as a word: then nmcli asks once more.
        const auto is_port = [&](const char *type) { return word->starts_with(type); };
        if (std::none_of(std::begin(port_types), std::end(port_types), is_port)) for_nmcli = {row.alias, *word};
        return failure;
    }
}

bool ask_next(Draft &draft)
{
    std::vector<const Group *> order = {&connection_group, &infiniband_group};
    for (const auto *group : groups())
        if (group != order[0] && group != order[1]) order.push_back(group);
    for (const auto *group : order) {
        auto rows = relevant_rows(draft, *group);
        if (rows.empty()) continue;
        if (wants_options(*group, rows.size()))
            for (; !rows.empty(); rows = relevant_rows(draft, *group)) ask_for(draft, *group, *rows.front());
        for (const auto *row : group->rows()) draft.asked_or_given.insert(row);
        return true;
    }
    return false;
}

} // namespace nmib::cli
