// SPDX-License-Identifier: LGPL-2.1-or-later
/// The nouns of `nm-ib host`.
#pragma once
#include "cli/host/request.hpp"

#include <span>

namespace nmib::cli
{

struct HostCommand {
    const char *word;        ///< "memlock"
    std::size_t least, most; ///< how many words it takes
    bool has_now;            ///< takes --now
    HostNoun *noun;
    const char *usage; ///< to be translated
};
std::span<const HostCommand> host_commands() noexcept;
/// The one that a word, or the beginning of one, means; null for none.
const HostCommand *find_host_command(const std::string &word) noexcept;

/// What may stand at the end of `words`, which are those behind "host".
Words complete_host(std::span<const std::string> words);

} // namespace nmib::cli
