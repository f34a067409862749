// SPDX-License-Identifier: LGPL-2.1-or-later
/// "pkey-taken"_id: the id of a row of the catalogue. An id without a row does not compile.
#pragma once
#include "core/message/catalogue.hpp"

namespace nmib
{

consteval const char *operator""_id(const char *text, std::size_t size) { return find_kind({text, size})->id.data(); }

} // namespace nmib
