// SPDX-License-Identifier: LGPL-2.1-or-later
#include "probe/host/accounts.hpp"

#include <grp.h>
#include <pwd.h>

namespace nmib
{

namespace
{
/// In one pass: to look each name up reads the whole file for each. `gid`: users with this group of their own, too.
Users find(std::set<std::string> names, std::optional<gid_t> gid)
{
    Users all;
    ::setpwent();
    while (const auto *user = ::getpwent()) // NOLINT(concurrency-mt-unsafe): one thread
        if (names.erase(user->pw_name) > 0 || user->pw_gid == gid) all.emplace(user->pw_uid, user->pw_name);
    ::endpwent();
    for (const auto &name : names)                       // users that the system does not list, of LDAP say
        if (const auto *user = ::getpwnam(name.c_str())) // NOLINT(concurrency-mt-unsafe): one thread
            all.emplace(user->pw_uid, name);
    return all;
}
} // namespace

Users find_users(std::set<std::string> names) { return find(std::move(names), std::nullopt); }

std::optional<Users> find_group(const std::string &name)
{
    const auto *group = ::getgrnam(name.c_str()); // NOLINT(concurrency-mt-unsafe): one thread
    if (!group) return {};
    std::set<std::string> members;
    for (char **member = group->gr_mem; *member; member++) members.insert(*member);
    return find(std::move(members), group->gr_gid);
}

} // namespace nmib
