// SPDX-License-Identifier: LGPL-2.1-or-later
/// Messages with named places, looked up in a catalogue before they are filled in.
#pragma once
#include "core/base/translate.hpp"

#include <fmt/format.h>

#include <string>

namespace nmib
{

/// Fills in a message. A translation with a broken place must not cost the message: then the original is used.
template<class... Args> std::string message(Translate translate, const char *text, const Args &...args)
{
    try {
        return fmt::format(fmt::runtime(translate(text)), args...);
    } catch (const fmt::format_error &) {
        return fmt::format(fmt::runtime(text), args...);
    }
}

} // namespace nmib
