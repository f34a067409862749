// SPDX-License-Identifier: LGPL-2.1-or-later
/// host memlock @GROUP|USER|UNIT unlimited|SIZE|default
#include "core/host/memlock.hpp"
#include "cli/host/limits.hpp"
#include "cli/host/units.hpp"
#include "cli/host/writing.hpp"
#include "core/printable.hpp"
#include "probe/dir.hpp"
#include "probe/host/accounts.hpp"

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

/// Who still has another limit, or has what was taken back, and what ends that.
Words tell(const MemlockTarget &target, const std::function<bool(std::uint64_t)> &is_stale)
{
    Words notes;
    for (const auto &h : limit_holders(target)) {
        const auto &l = h.limit;
        const auto much = memlock_text(l.bytes), name = printable(l.name), user = printable(h.user);
        const bool is_unit = target.kind == Kind::unit;
        if (!is_stale(l.bytes)) {
            if (is_unit) notes.push_back(form(_("process %d of %s may lock: %s"), l.pid, l.unit.c_str(), much.c_str()));
            continue;
        }
        if (h.elsewhere)
            notes.push_back(form(_("process %d (%s) of %s may lock: %s; it is of %s, which no login decides about: %s"),
                                 l.pid, name.c_str(), user.c_str(), much.c_str(), l.unit.c_str(), h.remedy.c_str()));
        else if (h.remedy.empty() || h.remedy.starts_with("loginctl"))
            notes.push_back(form(_("process %d (%s) of %s may lock: %s; until %s logs in again%s"), l.pid, name.c_str(),
                                 user.c_str(), much.c_str(), user.c_str(),
                                 h.remedy.empty() ? "" : (" (" + h.remedy + ")").c_str()));
        else
            notes.push_back(form(_("process %d (%s) of %s may lock: %s; until: %s"), l.pid, name.c_str(),
                                 is_unit ? l.unit.c_str() : user.c_str(), much.c_str(), h.remedy.c_str()));
    }
    return notes;
}

/// What our file asks for now.
std::optional<MemlockSize> written(const HostFile &file)
{
    const auto dir = Dir::open(file.directory);
    const auto text = dir ? dir->read(file.name, 65536) : Result<std::string>(Error{});
    const auto command = text ? std::string(host_command(*text)) : std::string();
    return MemlockSize::parse(command.substr(command.rfind(' ') + 1));
}

std::uint64_t bytes_of(const MemlockSize &size)
{
    return size.bytes.value_or(std::numeric_limits<std::uint64_t>::max());
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
    const auto before = written(plan.files.front());
    plan.after = [&](bool changed) -> Result<Words> {
        Words notes;
        const auto other = is_default ? std::string() : overruled_by(*target);
        if (!other.empty()) notes.push_back(form(_("%s comes behind it, and counts"), printable(other).c_str()));
        if (is_default && !changed) return notes;
        if (is_template(*target)) {
            notes.push_back(
                form(_("each instance of %s that runs has it after: systemctl restart INSTANCE"), who.c_str()));
            return notes;
        }
        const auto more = tell(*target, [&](std::uint64_t bytes) {
            return is_default ? before && bytes == bytes_of(*before) : bytes != bytes_of(*size);
        });
        notes.insert(notes.end(), more.begin(), more.end());
        const auto members = target->kind == Kind::group ? find_group(target->name) : std::nullopt;
        if (members && members->empty() && !is_default)
            notes.push_back(form(_("nobody is in the group %s; to add somebody: usermod -aG %s USER"),
                                 target->name.c_str(), target->name.c_str()));
        return notes;
    };
    return carry_out(request, plan);
}

} // namespace nmib::cli
