// SPDX-License-Identifier: LGPL-2.1-or-later
/// The commands that are not nmcli's: one table says what is parsed, what help and completion print, and what the
/// synopses of the manual pages have.
#pragma once
#include "cli/base/options.hpp"

#include <map>
#include <span>

namespace nmib::cli
{

struct CommandOption {
    const char *word;            ///< "--json"
    const char *help;            ///< to be translated
    const char *value = nullptr; ///< what follows: "SEC", "guid|path"; "FILE..." and "[ID...]" are many words
    bool takes_many() const { return value && std::string_view(value).find("...") != std::string_view::npos; }
};

/// The words behind a command, sorted.
struct Request {
    Options print{};                                     ///< nmcli's options
    Words words{};                                       ///< between the options
    std::map<std::string, Words, std::less<>> options{}; ///< with what follows each

    bool has(std::string_view option) const { return options.find(option) != options.end(); }
    /// What follows an option; nothing where it was not typed.
    Words all(std::string_view option) const
    {
        const auto found = options.find(option);
        return found == options.end() ? Words{} : found->second;
    }
};

constexpr std::size_t any_number = 1024;

struct Command {
    const char *object, *verb; ///< "port", "show"; an object without verbs has an empty one, "list" may be left out
    const char *operands;      ///< "PORT|IFACE"; words in lower case are completed
    std::size_t least, most;   ///< how many words it takes
    std::span<const CommandOption> options;
    const char *help; ///< to be translated
    std::optional<Failure> (*run)(const Request &request);
    /// What the next word may be, from this machine; null: nothing is known. `before`: the words in front of it.
    Words (*values)(const Words &before) = nullptr;
};
std::span<const Command> all_commands() noexcept;

/// What the page of an object ends with, to be translated; the manual page that has more.
struct CommandPage {
    const char *object, *text, *manual;
};
const CommandPage &page_of(std::string_view object) noexcept;

/// "nm-ib port show PORT|IFACE [--json]"
std::string synopsis(const Command &command);
/// The object that a word means or begins; empty where it is nmcli's or none.
std::string_view object_of(const std::string &word) noexcept;
/// Takes the words behind the object. The failure names the mistake, in one line.
std::variant<std::pair<const Command *, Request>, Failure> parse_command(std::string_view object, Args &args);
/// The command that `word` means behind an object, or null: "list", or the only one, for no word and for an option.
const Command *find_command(std::string_view object, const std::string &word) noexcept;
/// A command that prints no table refuses the options that choose columns.
std::optional<Failure> refuse_columns(const Request &request);
/// What may have been meant by a word that is none of these objects; empty: nothing like it.
std::string similar_object(const std::string &word);

} // namespace nmib::cli
