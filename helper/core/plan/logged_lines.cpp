// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/plan/logged_lines.hpp"

#include "core/base/number.hpp"

#include <utility>

namespace nmib
{

namespace
{
constexpr char of_now = '=', of_before = '-';
}

bool LoggedLines::first_time(Finding::Severity severity, const std::string &line)
{
    if (!now_.insert(line).second) return false;
    return severity == Finding::Severity::error || !before_.contains(line);
}

void LoggedLines::next() { before_ = std::exchange(now_, {}); }

std::string LoggedLines::str() const
{
    std::string text;
    for (const auto &line : before_) text += of_before + line + '\n';
    for (const auto &line : now_) text += of_now + line + '\n';
    return text;
}

LoggedLines LoggedLines::parse(std::string_view text)
{
    LoggedLines told;
    while (text.find('\n') != text.npos) {
        const auto line = take(text);
        if (line.starts_with(of_now)) told.now_.emplace(line.substr(1));
        if (line.starts_with(of_before)) told.before_.emplace(line.substr(1));
    }
    return told;
}

} // namespace nmib
