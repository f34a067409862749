// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/plan/finding.hpp"

#include "core/base/text.hpp"

#include <utility>

namespace nmib
{

namespace
{
const char *words(Finding::Cause cause) noexcept
{
    using enum Finding::Cause;
    switch (cause) {
    case none: return "";
    case no_rc: return N_("the device does not offer this mode (no RC bit in its address, as with enhanced IPoIB)");
    case driver: return N_("the driver refused the mode");
    case quirk: return "{word}";
    case group: return N_("the broadcast group of the subnet allows no more");
    case refused: return N_("the device refuses more in {word} mode");
    case changed: return N_("another program has changed it since");
    case unseen: return N_("the device refuses more in {word} mode, or another program has changed it since");
    }
    return "";
}
} // namespace

Message message(Finding::Cause cause, std::string word) { return {words(cause), {{"word", std::move(word)}}}; }

Message Finding::message() const
{
    Message all{kind->seen, values};
    all.values.emplace_back("where", link.str());
    return all;
}

std::string text(const Finding &finding, Translate translate) { return finding.message().text(translate); }

namespace
{
constexpr char of_now = '=', of_before = '-';
}

bool LoggedLines::first_time(Severity severity, const std::string &line)
{
    if (!now_.insert(line).second) return false;
    return severity == Severity::error || !before_.contains(line);
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
    LoggedLines logged;
    while (text.find('\n') != text.npos) {
        const auto line = take(text);
        if (line.starts_with(of_now)) logged.now_.emplace(line.substr(1));
        if (line.starts_with(of_before)) logged.before_.emplace(line.substr(1));
    }
    return logged;
}

} // namespace nmib
