// SPDX-License-Identifier: LGPL-2.1-or-later
/// host memlock @GROUP|USER|UNIT unlimited|SIZE|default
#include "core/host/memlock.hpp"
#include "cli/host/units.hpp"
#include "cli/host/writing.hpp"
#include "core/number.hpp"
#include "core/printable.hpp"
#include "probe/host/accounts.hpp"
#include "probe/host/memlock.hpp"

#include <limits>

namespace nmib::cli
{

namespace
{
using Kind = MemlockTarget::Kind;

bool is_template(const MemlockTarget &t) { return t.name.find("@.") != t.name.npos; }

/// A name that nobody has would be read by nobody, and nobody would say so.
Result<void> exists(const MemlockTarget &target)
{
    const auto name = printable(target.name);
    switch (target.kind) {
    case Kind::group:
        if (find_group(target.name)) return {};
        return bad(form(_("there is no group '%s'; to make it: groupadd --system %s"), name.c_str(), name.c_str()));
    case Kind::user:
        if (find_user(target.name)) return {};
        return bad(form(_("there is no user '%s'; a group is @GROUP, a unit NAME.service"), name.c_str()));
    case Kind::unit: break;
    }
    const auto is_there =
        is_template(target) ? has_unit_file(target.name) : unit_property(target.name, "LoadState") != "not-found";
    if (is_there) return {};
    return bad(form(_("there is no unit '%s'; to see those there are: systemctl list-unit-files"), name.c_str()));
}

std::string shown(std::uint64_t bytes)
{
    if (bytes == std::numeric_limits<std::uint64_t>::max()) return "unlimited";
    return bytes < 1024 || bytes % 1024 != 0 ? std::to_string(bytes) : MemlockSize{bytes}.str();
}

bool is_in_effect(std::uint64_t bytes, const std::optional<MemlockSize> &size)
{
    return size && bytes == size->bytes.value_or(std::numeric_limits<std::uint64_t>::max());
}

void tell_unit(const Dir &proc, const MemlockTarget &target, const std::optional<MemlockSize> &size, Words &notes)
{
    if (is_template(target)) {
        notes.push_back(
            form(_("each instance of %s that runs has it after: systemctl restart INSTANCE"), target.name.c_str()));
        return;
    }
    const auto pid = parse_decimal(unit_property(target.name, "MainPID"), std::numeric_limits<int>::max());
    const auto bytes = pid && *pid != 0 ? read_memlock(proc, static_cast<int>(*pid)) : std::nullopt;
    if (bytes && !is_in_effect(*bytes, size))
        notes.push_back(form(_("process %d of %s may lock: %s; until: systemctl restart %s"), static_cast<int>(*pid),
                             target.name.c_str(), shown(*bytes).c_str(), target.name.c_str()));
    else if (bytes)
        notes.push_back(form(_("in effect in process %d of %s"), static_cast<int>(*pid), target.name.c_str()));
}

void tell_user(const Dir &proc, const std::string &name, const std::optional<MemlockSize> &size, Words &notes)
{
    const auto uid = find_user(name);
    const auto smallest = uid ? smallest_memlock_of(proc, *uid) : std::nullopt;
    if (smallest && !is_in_effect(smallest->bytes, size))
        notes.push_back(form(_("process %d (%s) of %s may lock: %s; until %s logs in again. What is left of the old "
                               "login: loginctl terminate-user %s"),
                             smallest->pid, printable(smallest->name).c_str(), name.c_str(),
                             shown(smallest->bytes).c_str(), name.c_str(), name.c_str()));
}

Result<Words> tell(const MemlockTarget &target, const std::optional<MemlockSize> &size)
{
    Words notes;
    const auto proc = Dir::open("/proc");
    if (!proc) return proc.error();
    if (target.kind == Kind::unit) tell_unit(*proc, target, size, notes);
    if (target.kind == Kind::user) tell_user(*proc, target.name, size, notes);
    if (target.kind != Kind::group) return notes;
    const auto members = find_group(target.name);
    for (const auto &name : members ? *members : Words{}) tell_user(*proc, name, size, notes);
    if (members && members->empty() && size)
        notes.push_back(form(_("nobody is in the group %s; to add somebody: usermod -aG %s USER"), target.name.c_str(),
                             target.name.c_str()));
    return notes;
}
} // namespace

std::optional<Failure> host_memlock(const HostRequest &request)
{
    const auto &who = request.words[0], &much = request.words[1];
    const auto target = MemlockTarget::parse(who);
    if (!target)
        return host_refused(form(_("'%s' is no @GROUP, USER or UNIT (slurmd.service)"), printable(who).c_str()));
    const bool is_default = much == "default";
    const auto size = MemlockSize::parse(much);
    if (!size && !is_default)
        return host_refused(form(_("'%s' is no size: unlimited, default, or a number with K, M, G or T (64M)"),
                                 printable(much).c_str()));
    if (!is_default)
        if (const auto there = exists(*target); !there) return host_refused(there.error().what);
    HostPlan plan{.noun = "memlock", .setting = "memlock " + who + " " + (size ? size->str() : much)};
    plan.files.push_back(memlock_file(*target, size));
    plan.is_default = is_default;
    plan.units = target->kind == Kind::unit;
    if (!is_default && target->kind != Kind::unit)
        plan.notes.emplace_back(_("It counts for logins (PAM) and for user@UID.service; a service of the system needs "
                                  "nm-ib host memlock UNIT"));
    plan.after = [&](bool) { return tell(*target, size); };
    return carry_out(request, plan);
}

} // namespace nmib::cli
