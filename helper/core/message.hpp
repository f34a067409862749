// SPDX-License-Identifier: LGPL-2.1-or-later
/// Messages with named places, looked up in a catalogue before they are filled in.
#pragma once
#include <fmt/args.h>
#include <fmt/format.h>

#include <string>

/// Marks a message for the catalogue; it is looked up when it is shown.
#define N_(message) message

namespace nmib
{

/// Looks a message up in a catalogue; `untranslated` for a log.
using Translate = const char *(*)(const char *message);
const char *untranslated(const char *message) noexcept;

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
