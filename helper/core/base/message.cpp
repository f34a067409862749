// SPDX-License-Identifier: LGPL-2.1-or-later
// The only file that compiles fmt's code.
#define FMT_HEADER_ONLY
#define FMT_STATIC_THOUSANDS_SEPARATOR ',' // unused; avoids linking std::locale, half a megabyte
#include "core/base/message.hpp"

#include <fmt/args.h>
#include <fmt/format.h>

namespace nmib
{

const char *untranslated(const char *message) noexcept { return message; }

std::string filled_in(Translate translate, const char *text, fmt::format_args args)
{
    try {
        return fmt::vformat(translate(text), args);
    } catch (const fmt::format_error &) {
        if (translate == untranslated) return text;
        return filled_in(untranslated, text, args);
    }
}

std::string filled_in(Translate translate, const char *text, const NamedValues &values)
{
    fmt::dynamic_format_arg_store<fmt::format_context> all;
    for (const auto &[name, value] : values) all.push_back(fmt::arg(name, value));
    return filled_in(translate, text, fmt::format_args(all));
}

} // namespace nmib
