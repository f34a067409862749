// SPDX-License-Identifier: LGPL-2.1-or-later
/// Where a message meets its catalogue.
#pragma once

/// Marks a message for the catalogue; it is looked up when it is shown.
#define N_(message) message

namespace nmib
{

/// Looks a message up in a catalogue; `untranslated` for a log.
using Translate = const char *(*)(const char *message);
const char *untranslated(const char *message) noexcept;

} // namespace nmib
