// SPDX-License-Identifier: LGPL-2.1-or-later
/// Messages with named placeholders, translated by a catalogue.
#pragma once
#include <fmt/core.h>

#include <string>
#include <utility>
#include <vector>

/// Marks a message for translation; message() looks the translation up.
#define N_(message) message

namespace nmib
{

/// Looks a message up in a catalogue. `untranslated` returns the message unchanged, for a log.
using Translate = const char *(*)(const char *message);
const char *untranslated(const char *message) noexcept;

/// Fills in a message. If the placeholders of a translation are wrong, the original is used.
/// If those of the original are wrong, they stay.
std::string filled_in(Translate translate, const char *text, fmt::format_args args);
/// The same with names that are known at run time; the first of equal names counts.
using NamedValues = std::vector<std::pair<const char *, std::string>>;
std::string filled_in(Translate translate, const char *text, const NamedValues &values);
template<class... Args> std::string message(Translate translate, const char *text, const Args &...args)
{
    return filled_in(translate, text, fmt::make_format_args(args...));
}

} // namespace nmib
