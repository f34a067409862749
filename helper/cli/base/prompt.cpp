// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/base/prompt.hpp"

#include "cli/base/words.hpp"

#include <array>
#include <cstdio>
#include <unistd.h>

namespace nmib::cli
{

bool can_ask() noexcept { return ::isatty(STDIN_FILENO) == 1 && ::isatty(STDOUT_FILENO) == 1; }

bool agrees(const char *question)
{
    if (!can_ask()) return false;
    print(std::string(question) + " [y/N] ");
    std::fflush(stdout);
    std::array<char, 64> answer{};
    const auto n = ::read(STDIN_FILENO, answer.data(), answer.size());
    const auto word = trim(std::string_view(answer.data(), n > 0 ? static_cast<std::size_t>(n) : 0));
    return word == "y" || word == "Y" || word == "yes" || word == _("yes");
}

} // namespace nmib::cli
