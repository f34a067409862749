// SPDX-License-Identifier: LGPL-2.1-or-later
/// host memlock [@GROUP unlimited|SIZE|unset]
#include "core/host/memlock.hpp"

#include "core/base/text.hpp"
#include "probe/base/dir.hpp"
#include "verbs/host/host.hpp"

#include <grp.h>

namespace nmib::cli
{

namespace
{
/// Returns the file that is read later and overrides nm-ib's file for the group; empty if none does.
std::string overriding_file(const HostFile &own, const std::string &group)
{
    std::string found;
    each_conf_file({own.directory}, [&](const std::string &path, const std::string &text) {
        if (path <= own.path()) return;
        for (const auto &line : cut(text, "\n"))
            if (const auto limits = LimitsLine::parse(line); limits && limits->who == "@" + group) found = path;
    });
    return found;
}

std::string overridden(const HostFile &own, const std::string &group)
{
    const auto file = overriding_file(own, group);
    return file.empty() ? file : form("{} is read later and overrides it", printable(file));
}

void add_rows_of(const std::string &path, const std::string &text, HostRows &rows)
{
    for (const auto &line : cut(text, "\n")) {
        const auto limits = LimitsLine::parse(line);
        if (!limits) continue;
        auto size = limits->value;
        if (const auto kib = parse_decimal(size, UINT64_MAX >> 11); kib && *kib != 0)
            size = MemlockSize{*kib << 10}.str();
        if (size == "-1" || size == "infinity") size = "unlimited"; // limits.conf(5)
        HostRow row{"memlock", limits->who + " " + size, path, {}, {}, is_host_file(text)};
        if (row.ours && limits->who.starts_with('@')) {
            const auto group = limits->who.substr(1);
            row.needs = overridden(memlock_file(group, {}), group);
        }
        rows.push_back(std::move(row));
    }
}
} // namespace

Status host_memlock(const Request &request)
{
    if (request.words.size() != 2) return refused(_("memlock takes @GROUP, and a size or unset"));
    const auto &who = request.words[0], &much = request.words[1];
    if (!who.starts_with('@') || !is_group_name(who.substr(1)))
        return refused(form("memlock takes @GROUP (@rdma), not '{}'", printable(who)));
    const auto name = who.substr(1);
    const bool unset = is_unset(request);
    const auto size = MemlockSize::parse(much);
    if (!size && !unset)
        return refused(
            form("memlock takes unlimited, unset, or a number with K, M, G or T (64M), not '{}'", printable(much)));
    const auto *group = ::getgrnam(name.c_str()); // NOLINT(concurrency-mt-unsafe): one thread
    if (!unset && !group)
        return refused(form("the group '{}' does not exist", printable(name))); // PAM ignores the line
    HostPlan plan{.noun = "memlock", .setting = "memlock " + who + " " + (size ? size->str() : much)};
    plan.files.push_back(memlock_file(name, size));
    if (!unset) {
        plan.notes.emplace_back(_("The limit applies to new logins (PAM), and to user@UID.service after a restart\n"
                                  "For a service of the system, write LimitMEMLOCK=infinity under [Service]:\n"
                                  "  systemctl edit UNIT"));
        if (!*group->gr_mem)
            plan.notes.push_back(form("no user has {} as a supplementary group\n"
                                      "To add a user:\n"
                                      "  usermod -aG {} USER",
                                      name, name));
        if (auto other = overridden(plan.files.front(), name); !other.empty()) plan.notes.push_back(std::move(other));
    }
    return carry_out(request, plan);
}

void add_memlock_rows(HostRows &rows)
{
    const auto add = [&](const std::string &path, const std::string &text) { add_rows_of(path, text, rows); };
    if (const auto text = read_file("/etc/security/limits.conf")) add("/etc/security/limits.conf", *text);
    each_conf_file({std::string(limits_directory)}, add);
}

} // namespace nmib::cli
