// SPDX-License-Identifier: LGPL-2.1-or-later
/// The table of nm-ib's own commands. The parser, help, completion and the manual pages' synopses use it.
#pragma once
#include "terminal/request.hpp"

#include <span>

namespace nmib::cli
{

struct CommandOption {
    const char *word;            ///< "--json"
    const char *help;            ///< untranslated
    const char *value = nullptr; ///< "SEC", "guid|path"; "FILE...", "[ID...]" and "[NAME]": all words up to an option
    bool takes_at_most_one() const { return value && *value == '[' && !std::string_view(value).ends_with("...]"); }
    bool takes_many() const { return value && (*value == '[' || std::string_view(value).ends_with("...")); }
};

constexpr std::size_t any_number = 1024;

struct Command {
    const char *object, *verb; ///< "port", "show"; verb "": the object has no verbs; "list" may be omitted
    const char *operands;      ///< "PORT|IFACE"; completion proposes words in lower case
    std::size_t least, most;   ///< number of operands
    std::span<const CommandOption> options;
    const char *help; ///< untranslated
    OwnVerb *run;
    Operands *values = nullptr; ///< null: no completion
};
std::span<const Command> all_commands() noexcept;

/// The end of an object's help: a text (untranslated), and the manual page.
struct CommandPage {
    const char *object, *text, *manual;
};
const CommandPage &page_of(std::string_view object) noexcept;

/// Returns the usage: "nm-ib port show PORT|IFACE [--json]".
std::string synopsis(const Command &command);
/// Returns the first of nm-ib's objects that the word abbreviates; empty if no object matches.
std::string_view object_of(const std::string &word) noexcept;
/// Parses the words after the object. The failure names the mistake.
Result<std::pair<const Command *, Request>, Failure> parse_command(std::string_view object, Args &args);
/// Returns the object's command that `word` abbreviates, or null. An empty word or an option means "list", or the only
/// command.
const Command *find_command(std::string_view object, const std::string &word) noexcept;
/// Returns an object with at most two letters changed, added or removed; empty if no object is that similar.
std::string similar_object(const std::string &word);

} // namespace nmib::cli
