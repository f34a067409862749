// SPDX-License-Identifier: LGPL-2.1-or-later
/// The words of one of nm-ib's own commands, as parsed.
#pragma once
#include "terminal/options.hpp"

#include <map>

namespace nmib::cli
{

struct Request {
    Options print{};                                     ///< global options
    Words words{};                                       ///< operands
    std::map<std::string, Words, std::less<>> options{}; ///< typed options, with their values

    bool has(std::string_view option) const { return options.find(option) != options.end(); }
    /// Returns the values of an option; empty if not typed.
    Words all(std::string_view option) const
    {
        const auto found = options.find(option);
        return found == options.end() ? Words{} : found->second;
    }
};

/// A verb of nm-ib's own grammar. Each room declares its verbs; the table of commands names them.
using OwnVerb = Status(const Request &request);
/// The words of this machine that complete the next operand. `before`: the operands before.
using Operands = Words(const Words &before);

/// Refuses -t, -f and -g for a command without a table.
Status refuse_columns(const Request &request);

} // namespace nmib::cli
