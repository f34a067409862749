// SPDX-License-Identifier: LGPL-2.1-or-later
/// The verbs of `nm-ib name`, one a file.
#pragma once
#include "cli/name/request.hpp"

#include <span>

namespace nmib::cli
{

using NameVerb = std::optional<Failure>(const NameRequest &);
NameVerb list_names, set_name, unset_name, check_names, propose_names_verb, import_names;

struct NameFlag {
    const char *word; ///< "--json"
    bool NameRequest::*field;
    bool value = true;
};

struct NameCommand {
    const char *word;  ///< "set"
    std::size_t words; ///< how many it takes
    std::span<const NameFlag> flags;
    bool matches; ///< takes --match
    NameVerb *verb;
    const char *usage; ///< to be translated
};
std::span<const NameCommand> name_commands() noexcept;
/// The one that a word, or the beginning of one, means; null for none.
const NameCommand *find_name_command(const std::string &word) noexcept;

struct MatchWord {
    const char *word; ///< behind --match
    NameRequest::Match match;
};
std::span<const MatchWord> match_words() noexcept;

} // namespace nmib::cli
