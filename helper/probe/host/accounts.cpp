// SPDX-License-Identifier: LGPL-2.1-or-later
#include "probe/host/accounts.hpp"

#include <algorithm>
#include <grp.h>
#include <pwd.h>

namespace nmib
{

std::optional<std::uint32_t> find_user(const std::string &name)
{
    const auto *user = ::getpwnam(name.c_str()); // NOLINT(concurrency-mt-unsafe): one thread
    return user ? std::optional<std::uint32_t>(user->pw_uid) : std::nullopt;
}

std::optional<std::vector<std::string>> find_group(const std::string &name)
{
    const auto *group = ::getgrnam(name.c_str()); // NOLINT(concurrency-mt-unsafe): one thread
    if (!group) return {};
    std::vector<std::string> all;
    for (char **member = group->gr_mem; *member; member++) all.emplace_back(*member);
    const auto gid = group->gr_gid;
    ::setpwent();
    while (const auto *user = ::getpwent()) // NOLINT(concurrency-mt-unsafe): one thread
        if (user->pw_gid == gid && std::find(all.begin(), all.end(), user->pw_name) == all.end())
            all.emplace_back(user->pw_name);
    ::endpwent();
    return all;
}

} // namespace nmib
