// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/json.hpp"

#include <cstdio>
#include <glib.h>

namespace nmib::cli::json
{

std::string quoted(std::string_view text)
{
    char *valid = g_utf8_make_valid(text.data(), static_cast<gssize>(text.size()));
    std::string s = "\"";
    for (const char *p = valid; *p; p++) {
        const auto c = static_cast<unsigned char>(*p);
        if (c == '"' || c == '\\') s += '\\';
        if (c >= 0x20 && c != 0x7f) {
            s += *p;
        } else {
            char code[8];
            std::snprintf(code, sizeof code, "\\u%04x", c);
            s += code;
        }
    }
    g_free(valid);
    return s + "\"";
}

std::string object(const std::vector<std::pair<std::string_view, std::string>> &members)
{
    std::string s;
    for (const auto &[key, value] : members) s += (s.empty() ? "" : ",") + quoted(key) + ":" + value;
    return "{" + s + "}";
}

std::string array(const std::vector<std::string> &values)
{
    std::string s;
    for (const auto &v : values) s += (s.empty() ? "" : ",") + v;
    return "[" + s + "]";
}

} // namespace nmib::cli::json
