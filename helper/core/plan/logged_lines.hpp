// SPDX-License-Identifier: LGPL-2.1-or-later
/// What was told of the activations of one interface, so that nothing is told again that is no news.
#pragma once
#include "core/plan/finding.hpp"

#include <set>
#include <string>
#include <string_view>

namespace nmib
{

class ToldLines
{
public:
    /// Whether the line is to be told. An error is told once in each activation. Anything else is not told again while
    /// every activation has it to say: neither this one nor the one before may have had it.
    bool first_time(Finding::Severity severity, const std::string &line);
    /// Another activation begins.
    void next();
    bool operator==(const ToldLines &) const = default;

    /// For a process that does not last.
    std::string str() const;
    /// The contrary; a line that is none of str() is passed over.
    static ToldLines parse(std::string_view text);

private:
    std::set<std::string> now_, before_; ///< what this activation and the one before had to say, told or not
};

} // namespace nmib
