// SPDX-License-Identifier: LGPL-2.1-or-later
/// A sentence with named values: stored untranslated, translated where it is shown.
#pragma once
#include "core/base/message.hpp"

#include <string>
#include <vector>

namespace nmib
{

struct Message {
    struct Value {
        const char *name; ///< in the sentence: {name}
        std::string text{};
        std::vector<Message> message{}; ///< one message replaces the text

        Value(const char *called, std::string is) : name(called), text(std::move(is)) {}
        Value(const char *called, Message is) : name(called), message{std::move(is)} {}
    };
    const char *sentence = ""; ///< marked with N_()
    std::vector<Value> values{};

    /// Fills in the values, each in printable form. A sentence with an unknown name stays as it is.
    std::string text(Translate translate = untranslated) const;
};

} // namespace nmib
