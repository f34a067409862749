// SPDX-License-Identifier: LGPL-2.1-or-later
/// A message of a plan for the user: a row of the catalogue with its values.
#pragma once
#include "core/ib/ifname.hpp"
#include "core/message/catalogue.hpp"
#include "core/message/message.hpp"

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace nmib
{

/// One message about the activation of one profile or interface. A fault of the machine, with a remedy, that doctor
/// finds is a Trouble (core/doctor/trouble.hpp).
struct Finding {
    /// Why connected mode is impossible, or why the MTU is lower than requested.
    enum class Cause {
        none,
        no_rc,
        driver,
        quirk,
        group,   ///< the kernel accepted the MTU and lowered it
        refused, ///< the kernel refused the MTU
        changed, ///< the kernel accepted the MTU, and it was changed since
        unseen   ///< refused or changed
    };

    const Kind *kind;
    IfName link; ///< {where}
    Severity severity = Severity::warning;
    Cause cause = Cause::none;
    std::vector<Message::Value> values{}; ///< of the sentence

    /// Returns the row's sentence with all values.
    Message message() const;
};

/// Returns the cause in words. `word`: the quirk's reason, or the transport mode.
Message message(Finding::Cause cause, std::string word);

/// Returns one line, without a newline, beginning with the interface.
std::string text(const Finding &finding, Translate translate = untranslated);

/// Remembers which messages were logged for an interface, so that repeats are dropped.
class LoggedLines
{
public:
    /// Returns true if the line should be logged: errors once per activation, other lines only if neither this nor the
    /// previous activation had them.
    bool first_time(Severity severity, const std::string &line);
    void next();
    bool operator==(const LoggedLines &) const = default;

    /// Serialised for short-lived processes.
    std::string str() const;
    /// Parses the output of str(); unknown lines are ignored.
    static LoggedLines parse(std::string_view text);

private:
    std::set<std::string> now_, before_; ///< of this activation and of the previous one, logged or not
};

} // namespace nmib
