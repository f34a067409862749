// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/host/limits.hpp"

#include "cli/host/units.hpp"
#include "core/number.hpp"
#include "probe/dir.hpp"
#include "probe/host/accounts.hpp"
#include "probe/host/memlock.hpp"

#include <limits>

namespace nmib::cli
{

namespace
{
using Kind = MemlockTarget::Kind;
constexpr std::size_t longest = 65536;

/// pam_limits, and so limits.d, is asked at a login and for a user's manager; of services only for those that say so.
LimitHolder holder_of(MemlockLimit limit, const std::string &user)
{
    LimitHolder h{.limit = std::move(limit), .user = user};
    const auto &unit = h.limit.unit;
    if (unit.starts_with("user@")) {
        h.remedy = "systemctl restart " + unit;
    } else if (unit.ends_with(".scope") && unit.starts_with("session-")) {
        h.remedy = "loginctl terminate-session " + unit.substr(8, unit.size() - 8 - 6);
    } else if (unit.ends_with(".service") && unit_property(unit, "User") == user) {
        h.elsewhere = unit_property(unit, "PAMName").empty();
        h.remedy = (h.elsewhere ? "nm-ib host memlock " : "systemctl restart ") + unit;
    }
    return h;
}
} // namespace

std::string memlock_text(std::uint64_t bytes)
{
    if (bytes == std::numeric_limits<std::uint64_t>::max()) return "unlimited";
    return bytes < 1024 || bytes % 1024 != 0 ? std::to_string(bytes) : MemlockSize{bytes}.str();
}

std::vector<LimitHolder> limit_holders(const MemlockTarget &target)
{
    std::vector<LimitHolder> all;
    const auto proc = Dir::open("/proc");
    if (!proc) return all;
    if (target.kind == Kind::unit) {
        const auto pid = parse_decimal(unit_property(target.name, "MainPID"), std::numeric_limits<int>::max());
        const auto bytes = pid && *pid != 0 ? read_memlock(*proc, static_cast<int>(*pid)) : std::nullopt;
        if (!bytes) return all;
        const auto comm = proc->read(std::to_string(*pid) + "/comm", 64);
        all.push_back({.limit = {comm ? std::string(trim(*comm)) : "", static_cast<int>(*pid), *bytes, target.name},
                       .remedy = "systemctl restart " + target.name});
        return all;
    }
    const auto users =
        target.kind == Kind::user ? Words{target.name} : find_group(target.name).value_or(std::vector<std::string>{});
    for (const auto &user : users)
        if (const auto uid = find_user(user))
            for (auto &limit : memlock_of_user(*proc, *uid)) all.push_back(holder_of(std::move(limit), user));
    return all;
}

std::string overruled_by(const MemlockTarget &target)
{
    const auto own = memlock_file(target, {});
    std::string found;
    each_conf_file(own.directory, [&](const std::string &path, const std::string &text) {
        if (path <= own.path()) return;
        for (const auto &line : cut(text, "\n")) {
            const auto limits = LimitsLine::parse(line);
            if (target.kind == Kind::unit ? line.starts_with("LimitMEMLOCK=") : limits && limits->who == target.str())
                found = path;
        }
    });
    return found;
}

void each_conf_file(const std::string &path,
                    const std::function<void(const std::string &path, const std::string &text)> &look)
{
    const auto dir = Dir::open(path);
    const auto names = dir ? dir->list() : Result<Words>(dir.error());
    for (const auto &name : names ? *names : Words{})
        if (const auto text = name.ends_with(".conf") ? dir->read(name, longest) : Result<std::string>(Error{}))
            look(path + "/" + name, *text);
}

} // namespace nmib::cli
