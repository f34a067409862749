// SPDX-License-Identifier: LGPL-2.1-or-later
/// The nouns of `nm-ib host`, for parsing and completion.
#pragma once
#include "cli/host/host.hpp"

#include <span>

namespace nmib::cli
{

struct HostCommand {
    const char *word; ///< "memlock"
    bool has_now;     ///< takes --now
    HostNoun *noun;   ///< null: shows all
    AddHostRows *rows;
    const char *usage; ///< to be translated
};
std::span<const HostCommand> host_commands() noexcept;
/// The one that a word, or the beginning of one, means; null for none.
const HostCommand *find_host_command(const std::string &word) noexcept;

/// What may stand at the end of `words`, which are those behind "host".
Words complete_host(std::span<const std::string> words);

} // namespace nmib::cli
