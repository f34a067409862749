// SPDX-License-Identifier: LGPL-2.1-or-later
/// A line of a udev rules file as udev reads it (udev(7); systemd 252, udev-rules.c).
#pragma once
#include "core/name/naming_world.hpp"

namespace nmib
{

struct UdevRule {
    enum class Operator { match, no_match, assign };
    struct Token {
        std::string key{};
        std::string attribute{}; ///< what stands in braces, "address" of ATTR{address}
        Operator op = Operator::match;
        std::string value{};  ///< without quotes
        bool is_plain = true; ///< not e"..." (escapes of C) or i"..." (any case), which are not followed here
        bool is_match() const noexcept { return op != Operator::assign; }
    };
    std::vector<Token> tokens{};
    unsigned first_line = 0; ///< counted from 1
    unsigned last_line = 0;  ///< the same but for a line that is continued; the one that udev names

    /// The value of the last such match (==), or null.
    const std::string *matched(std::string_view key, std::string_view attribute = "") const;
    /// What NAME= sets, with udev's substitutions as they stand there; null when the line sets no name.
    const std::string *name() const;
};

/// The rules of a file in their order. Comments are left out, and lines that are no list of KEY OPERATOR "value".
std::vector<UdevRule> parse_udev_rules(std::string_view text);

/// Whether udev carries the line out at the event "add" of a port's interface, the only one at which it gives names.
/// Each line is looked at alone: no GOTO is followed; and of the devices that the interface belongs to, only the HCA.
Verdict matches(const UdevRule &rule, const PortIdentity &port);

} // namespace nmib
