// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once
#include "cli/base/json.hpp"
#include "core/diagnose/host.hpp"
#include "core/diagnose/trouble.hpp"

#include <span>

namespace nmib::cli
{

/// For people: what is wrong, why it matters, what mends it, and what follows from it.
std::string text_of(std::span<const Trouble> all);
/// The same, or that there is none; with what was looked at.
std::string text_of(const Host &host, std::span<const Trouble> all);
Json json_of(const Host &host, std::span<const Trouble> all);
/// The findings alone.
Json findings_of(std::span<const Trouble> all);

} // namespace nmib::cli
