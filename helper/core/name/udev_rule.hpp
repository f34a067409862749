// SPDX-License-Identifier: LGPL-2.1-or-later
/// A line of a udev rules file, as udev parses it (udev(7); systemd 252, udev-rules.c).
#pragma once
#include "core/name/naming_world.hpp"

namespace nmib
{

struct UdevRule {
    enum class Operator { match, no_match, assign };
    struct Token {
        std::string key{};
        std::string attribute{}; ///< in braces: "address" in ATTR{address}
        Operator op = Operator::match;
        std::string value{};  ///< without quotes
        bool is_plain = true; ///< false: e"..." (C escapes) or i"..." (any case), which are not interpreted here
        bool is_match() const noexcept { return op != Operator::assign; }
    };
    std::vector<Token> tokens{};
    unsigned first_line = 0; ///< counted from 1
    unsigned last_line = 0;  ///< larger if the line is continued; udev's messages have this one

    /// The value of the last match (==) of the key; null if there is none.
    const std::string *matched(std::string_view key, std::string_view attribute = "") const;
    /// The value of NAME=, with udev's substitutions as written; null if the line sets no name.
    const std::string *name() const;
};

/// The rules of a file, in order. Comments and lines that are no list of KEY OPERATOR "value" are dropped.
std::vector<UdevRule> parse_udev_rules(std::string_view text);

/// Returns the verdict for the event "add" of a port's interface, the only event at which udev assigns names. Each line
/// is judged alone, without GOTO; of the parent devices, only the HCA is known.
Verdict matches(const UdevRule &rule, const PortIdentity &port);

} // namespace nmib
