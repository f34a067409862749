// SPDX-License-Identifier: LGPL-2.1-or-later
/// A row of the catalogue of messages. One fault has one row, in plan and in doctor.
#pragma once
#include "core/base/message.hpp"

#include <string_view>

namespace nmib
{

enum class Severity { debug, note, warning, error }; ///< debug: only in a log; note: info in a log

/// What all messages with one id share. Sentences have the named values of a message; doctor's have also {where},
/// {subject}, {uuid}, {value}, {hca} and {port}.
struct Kind {
    /// How a fault is mended.
    enum class By {
        hands,   ///< by a decision, or on another machine; commands are only a part, or show more
        command, ///< by commands, after a decision
        fix,     ///< by commands that take no interface down; --fix runs them
    };
    /// What `mend` changes: one property of the profile, the type of the profile (form), or no profile (machine).
    enum class Of { machine, property, form };

    std::string_view id;  ///< stable; an entry in nm-ib-doctor(7)
    const char *seen;     ///< what was seen
    const char *why = ""; ///< why it matters; empty: only plan and the logs have this message
    By by = By::hands;
    const char *mend = "";     ///< what to do; empty if the commands are enough
    const char *commands = ""; ///< one on each line, words separated by spaces; '' is an empty word
    Of of = Of::machine;
};

namespace catalogue
{
using By = Kind::By;
using Of = Kind::Of;
} // namespace catalogue

} // namespace nmib
