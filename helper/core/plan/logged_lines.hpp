// SPDX-License-Identifier: LGPL-2.1-or-later
/// Remembers which messages were logged for an interface, so that repeats are dropped.
#pragma once
#include "core/plan/finding.hpp"

#include <set>
#include <string>
#include <string_view>

namespace nmib
{

class LoggedLines
{
public:
    /// Returns true if the line should be logged: errors once per activation, other lines only if neither this nor the
    /// previous activation had them.
    bool first_time(Finding::Severity severity, const std::string &line);
    /// Begins another activation.
    void next();
    bool operator==(const LoggedLines &) const = default;

    /// Serialised for short-lived processes.
    std::string str() const;
    /// Parses the output of str(); unknown lines are ignored.
    static LoggedLines parse(std::string_view text);

private:
    std::set<std::string> now_, before_; ///< the lines of this activation and of the previous one, logged or not
};

} // namespace nmib
