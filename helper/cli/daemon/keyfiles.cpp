// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/daemon/keyfiles.hpp"

#include <algorithm>
#include <glib.h>

namespace nmib::cli
{

std::vector<std::string> profile_directories()
{
    return {"/run/NetworkManager/system-connections", "/etc/NetworkManager/system-connections",
            "/usr/lib/NetworkManager/system-connections"};
}

bool is_keyfile_name(const std::string &directory, std::string_view name)
{
    constexpr std::string_view suffix = ".nmconnection";
    if (name.empty() || name.front() == '.') return false;
    if (!directory.starts_with("/etc/")) return name.size() > suffix.size() && name.ends_with(suffix);
    const auto ending = name.substr(std::min(name.rfind('.'), name.size()));
    const bool temporary =
        ending.size() == 7 && std::all_of(ending.begin() + 1, ending.end(), [](char c) { return g_ascii_isalnum(c); });
    const auto is = [&](const char *other) { return g_ascii_strcasecmp(std::string(ending).c_str(), other) == 0; };
    return name.back() != '~' && !temporary && !(name.size() > 4 && (is(".pem") || is(".der")));
}

} // namespace nmib::cli
