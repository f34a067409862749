// SPDX-License-Identifier: LGPL-2.1-or-later
#include "nm-ib/command.hpp"

#include "core/base/text.hpp"

#include <algorithm>
#include <numeric>

namespace nmib::cli
{

namespace
{
/// Levenshtein's.
std::size_t distance(std::string_view a, std::string_view b)
{
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), 0U);
    for (std::size_t i = 0; i < a.size(); i++) {
        auto diagonal = std::exchange(row[0], i + 1);
        for (std::size_t j = 0; j < b.size(); j++) {
            const auto changed = diagonal + (a[i] != b[j]);
            diagonal = row[j + 1];
            row[j + 1] = std::min({changed, row[j] + 1, row[j + 1] + 1});
        }
    }
    return row.back();
}

bool is_similar(std::string_view word, std::string_view name) { return word.size() > 2 && distance(word, name) <= 2; }

bool starts_an_option(const std::string &word) { return word.size() > 1 && word.starts_with('-'); }

/// Returns true if the value is one of the alternatives. A single placeholder accepts every value.
bool fits(const std::string &value, std::string_view alternatives)
{
    const auto all = cut(alternatives, "|");
    return all.size() < 2 || std::find(all.begin(), all.end(), value) != all.end();
}

Failure no_verb(std::string_view object, const std::string &word)
{
    const auto name = std::string(object);
    for (const auto &c : all_commands())
        if (c.object == object && is_similar(word, c.verb))
            return {exit_usage, form("Error: {}: unknown command '{}'\n"
                                     "Did you mean:\n"
                                     "  nm-ib {} {}",
                                     name, printable(word), name, c.verb)};
    if (!word.empty() && find_command(object, "show"))
        return {exit_usage, form("Error: {}: unknown command '{}'\n"
                                 "Did you mean:\n"
                                 "  nm-ib {} show {}",
                                 name, printable(word), name, printable(word))};
    return {exit_usage, form("Error: {}: unknown command '{}'\n"
                             "To list the commands:\n"
                             "  nm-ib {} help",
                             name, printable(word), name)};
}
} // namespace

std::string synopsis(const Command &command)
{
    const std::string_view verb(command.verb);
    std::string s = std::string("nm-ib ") + command.object;
    if (!verb.empty()) s += verb == "list" ? " [list]" : " " + std::string(verb);
    if (*command.operands) s += std::string(" ") + command.operands;
    for (const auto &o : command.options)
        s += std::string(" [") + o.word + (o.value ? " " : "") + (o.value ? o.value : "") + "]";
    return s;
}

std::string_view object_of(const std::string &word) noexcept
{
    const auto all = all_commands();
    const auto found = std::find_if(all.begin(), all.end(), [&](const Command &c) { return begins(word, c.object); });
    return found == all.end() ? std::string_view() : found->object;
}

std::string similar_object(const std::string &word)
{
    const auto all = all_commands();
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const Command &c) { return is_similar(word, c.object); });
    return found == all.end() ? "" : found->object;
}

const Command *find_command(std::string_view object, const std::string &word) noexcept
{
    for (const auto &c : all_commands())
        if (c.object == object && (!*c.verb || begins(word.empty() || starts_an_option(word) ? "list" : word, c.verb)))
            return &c;
    return nullptr;
}

Result<std::pair<const Command *, Request>, Failure> parse_command(std::string_view object, Args &args)
{
    Request request;
    for (; !args.empty() && args.front() == "--json"; args.skip()) request.options["--json"];
    const bool has_word = !args.empty() && !starts_an_option(args.front());
    const auto *command = find_command(object, has_word ? args.front() : "");
    if (!command || (has_word && args.front().empty() && *command->verb))
        return no_verb(object, has_word ? args.front() : "");
    if (has_word && *command->verb) args.skip();
    const auto wrong = [&] { return Failure{exit_usage, form("Usage: {}", synopsis(*command))}; };
    Words *many = nullptr; // values of an option that takes many
    while (!args.empty()) {
        auto word = args.take();
        if (!starts_an_option(word)) {
            if (word.empty()) return wrong();
            (many && request.words.size() >= command->least ? *many : request.words).push_back(std::move(word));
            continue;
        }
        const auto equals = word.starts_with("--") ? word.find('=') : word.npos;
        const auto option = std::find_if(command->options.begin(), command->options.end(),
                                         [&](const CommandOption &o) { return word.substr(0, equals) == o.word; });
        if (option == command->options.end())
            return Failure{exit_usage,
                           form("Error: unknown option '{}'. Usage: {}", printable(word), synopsis(*command))};
        auto &values = request.options[option->word];
        many = option->takes_many() ? &values : nullptr;
        if (equals != word.npos && !option->value) return wrong();
        if (equals != word.npos)
            values.push_back(word.substr(equals + 1));
        else if (option->value && !many) {
            if (args.empty()) return wrong();
            values = {args.take()};
        }
        if (option->value && !many && !fits(values.back(), option->value))
            return Failure{exit_usage, form("Error: {} takes {}, not '{}'.", option->word, option->value,
                                            printable(values.back()))};
        if (many && *option->value != '[' && values.empty() && (args.empty() || starts_an_option(args.front())))
            return wrong();
    }
    if (request.words.size() < command->least || request.words.size() > command->most) return wrong();
    for (const auto &option : command->options)
        if (option.takes_at_most_one() && request.all(option.word).size() > 1) return wrong();
    return std::pair(command, std::move(request));
}

} // namespace nmib::cli
