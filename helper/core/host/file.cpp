// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/host/file.hpp"

#include "core/base/text.hpp"

namespace nmib
{

namespace
{
constexpr std::string_view begin = "# Written by nm-ib host ", middle = "; to undo: nm-ib host ";
} // namespace

std::string host_text(std::string_view command, std::string_view undo, std::string_view body)
{
    return with_checksum(std::string(begin) + std::string(command) + std::string(middle) + std::string(undo) + "\n",
                         body);
}

bool is_host_file(std::string_view text) noexcept { return !host_command(text).empty(); }

std::string_view host_command(std::string_view text) noexcept
{
    const auto line = text.substr(0, text.find('\n'));
    const auto end = line.find(middle);
    if (!line.starts_with(begin) || end == line.npos || end < begin.size()) return {};
    return line.substr(begin.size(), end - begin.size());
}

} // namespace nmib
