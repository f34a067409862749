// SPDX-License-Identifier: LGPL-2.1-or-later
/// host memlock [@GROUP|USER|UNIT unlimited|SIZE|unset]
#include "core/host/memlock.hpp"

#include "cli/base/image.hpp"
#include "cli/host/host.hpp"
#include "core/base/text.hpp"
#include "probe/host/memlock.hpp"

#include <algorithm>
#include <limits>

namespace nmib::cli
{

namespace
{
using Kind = MemlockTarget::Kind;
constexpr auto unlimited = std::numeric_limits<std::uint64_t>::max();

/// Returns "8M", "unlimited", or bytes if not a multiple of 1024.
std::string text_of(std::uint64_t bytes)
{
    if (bytes == unlimited) return "unlimited";
    return bytes < 1024 || bytes % 1024 != 0 ? std::to_string(bytes) : MemlockSize{bytes}.str();
}

bool is_template(const MemlockTarget &t) { return t.name.find("@.") != t.name.npos; }

/// A process that a setting applies to.
struct Holder {
    MemlockLimit limit{};
    std::string user{};     ///< for settings of users and groups
    std::string remedy{};   ///< command to restart it; empty: the user has to log in again
    bool elsewhere = false; ///< a service that reads no limits.d: the remedy is a separate setting
    bool is_login() const { return remedy.empty() || remedy.starts_with("loginctl"); }
};

/// pam_limits reads limits.d at a login and for user@UID.service. For other services, only with PAMName=.
Holder holder_of(const MemlockLimit &limit, const std::string &user)
{
    Holder h{.limit = limit, .user = user};
    const auto &unit = limit.unit;
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

std::vector<Holder> holders_of_unit(const Dir &proc, const std::string &unit)
{
    const auto pid = parse_decimal(unit_property(unit, "MainPID"), std::numeric_limits<int>::max());
    const auto bytes = pid && *pid != 0 ? read_memlock(proc, static_cast<int>(*pid)) : std::nullopt;
    if (!bytes) return {};
    return {{.limit = {proc.line(std::to_string(*pid) + "/comm"), static_cast<int>(*pid), *bytes, unit},
             .remedy = "systemctl restart " + unit}};
}

/// The processes of all users and groups in the settings, read once.
class Processes
{
public:
    explicit Processes(std::span<const MemlockTarget> targets)
    {
        std::set<std::string> names;
        for (const auto &t : targets)
            if (t.kind == Kind::user) names.insert(t.name);
        const auto single = find_users(names);
        std::set<std::uint32_t> uids;
        for (const auto &t : targets) {
            auto &users = users_[t.str()];
            if (t.kind == Kind::group) users = find_group(t.name).value_or(Users{});
            for (const auto &[uid, name] : single)
                if (t.kind == Kind::user && name == t.name) users.emplace(uid, name);
            for (const auto &[uid, name] : users) uids.insert(uid);
        }
        if (proc_ && !uids.empty()) limits_ = memlock_of_users(*proc_, uids);
    }

    std::vector<Holder> of(const MemlockTarget &target) const
    {
        if (!proc_) return {};
        if (target.kind == Kind::unit) return holders_of_unit(*proc_, target.name);
        std::vector<Holder> all;
        for (const auto &[uid, name] : users_.at(target.str()))
            for (auto [limit, end] = limits_.equal_range(uid); limit != end; ++limit)
                all.push_back(holder_of(limit->second, name));
        return all;
    }

private:
    Result<Dir> proc_ = Dir::open("/proc");
    std::map<std::string, Users> users_{}; ///< by target
    std::multimap<std::uint32_t, MemlockLimit> limits_{};
};

/// Returns what overrides nm-ib's file, in one line; empty if nothing does.
std::string overridden(const MemlockTarget &target, const std::string &size)
{
    std::string found;
    if (target.kind == Kind::unit) {
        const auto now = is_template(target) ? std::string() : unit_property(target.name, "LimitMEMLOCK");
        const auto bytes = now == "infinity" ? std::optional(unlimited) : parse_decimal(now, unlimited);
        if (!bytes || text_of(*bytes) == size) return {}; // "infinity" is the largest number
        return form("another file overrides this setting; to see all files: systemctl cat {}", target.name);
    }
    const auto own = memlock_file(target, {});
    each_conf_file({own.directory}, [&](const std::string &path, const std::string &text) {
        if (path <= own.path()) return;
        for (const auto &line : cut(text, "\n"))
            if (const auto limits = LimitsLine::parse(line); limits && limits->who == target.str()) found = path;
    });
    return found.empty() ? found : form("{} is read later and overrides it", printable(found));
}

/// PAM and systemd would ignore an unknown name without a message.
bool exists(const MemlockTarget &target)
{
    if (target.kind == Kind::group) return find_group(target.name).has_value();
    if (target.kind == Kind::user) return !find_users({target.name}).empty();
    return is_template(target) ? has_unit_file(target.name) : unit_property(target.name, "LoadState") != "not-found";
}

std::string line_of(const Holder &h, bool is_unit)
{
    const auto &l = h.limit;
    const auto owner = is_unit ? l.unit : printable(h.user);
    const auto much = form("process {} ({}) of {} may lock: {}", l.pid, printable(l.name), owner, text_of(l.bytes));
    if (h.elsewhere)
        return much + form("; the service {} does not read limits.d\n"
                           "To change the limit:\n"
                           "  {}",
                           l.unit, h.remedy);
    if (h.is_login()) return much + _("; the user has to log in again") + (h.remedy.empty() ? "" : ": " + h.remedy);
    return much + form("\n"
                       "To change the limit:\n"
                       "  {}",
                       h.remedy);
}

std::optional<MemlockSize> written(const HostFile &file)
{
    const auto text = read_file(file.path());
    const auto command = text ? std::string(host_command(*text)) : std::string();
    return MemlockSize::parse(command.substr(command.rfind(' ') + 1));
}

struct Line {
    HostRow row;
    std::string size;
    std::optional<MemlockTarget> target;
};

void add_limits(const std::string &path, const std::string &text, std::vector<Line> &lines)
{
    for (const auto &line : cut(text, "\n")) {
        const auto limits = LimitsLine::parse(line);
        if (!limits) continue;
        auto size = limits->value;
        if (const auto kib = parse_decimal(size, UINT64_MAX >> 11)) size = text_of(*kib << 10);
        if (size == "-1" || size == "infinity") size = "unlimited"; // limits.conf(5)
        lines.push_back({{"memlock", limits->who + " " + size, path, {}, {}, is_host_file(text)},
                         size,
                         MemlockTarget::parse(limits->who)});
    }
}

/// `unit`: the unit of the file; "*.service" for the manager's defaults.
void add_unit(const std::string &unit, std::string_view key, const std::string &path, const std::string &text,
              std::vector<Line> &lines)
{
    for (const auto &line : cut(text, "\n")) {
        if (!line.starts_with(key)) continue;
        const std::string value(trim(line.substr(key.size())));
        const auto bytes = MemlockSize::parse(value);
        const auto plain = parse_decimal(value, UINT64_MAX / 2);
        const auto size = value == "infinity"     ? std::string("unlimited")
                          : plain                 ? text_of(*plain)
                          : bytes && bytes->bytes ? text_of(*bytes->bytes)
                                                  : value;
        lines.push_back(
            {{"memlock", unit + " " + size, path, {}, {}, is_host_file(text)}, size, MemlockTarget::parse(unit)});
    }
}

void add_units(std::vector<Line> &lines)
{
    const std::string place(units_directory);
    for (const auto &name : names_in(place)) {
        if (name.ends_with(".d"))
            each_conf_file({place + "/" + name}, [&](const std::string &path, const std::string &text) {
                add_unit(name.substr(0, name.size() - 2), "LimitMEMLOCK=", path, text, lines);
            });
        else if (const auto text = read_file(place + "/" + name); text && name.ends_with(".service"))
            add_unit(name, "LimitMEMLOCK=", place + "/" + name, *text, lines);
    }
}

/// Adds the smallest limit in effect, and the action for each process with another limit.
void add_effect(const Processes &processes, const MemlockTarget &target, Line &line)
{
    std::optional<std::uint64_t> smallest;
    const auto other = line.row.ours ? overridden(target, line.size) : std::string();
    auto &commands = line.row.commands;
    for (const auto &h : processes.of(target)) {
        if (h.elsewhere) continue;
        smallest = std::min(smallest.value_or(h.limit.bytes), h.limit.bytes);
        if (!other.empty() || text_of(h.limit.bytes) == line.size) continue;
        const auto command = cut(h.remedy, " ");
        if (h.is_login())
            line.row.needs = _("a new login");
        else if (std::find(commands.begin(), commands.end(), command) == commands.end())
            commands.push_back(command);
    }
    if (smallest) line.row.effect = text_of(*smallest);
    if (!other.empty()) line.row.needs = other;
}
} // namespace

Status host_memlock(const Request &request)
{
    if (request.words.size() != 2) return refused(_("memlock takes @GROUP, USER or UNIT, and a size or unset"));
    const auto &who = request.words[0], &much = request.words[1];
    const auto target = MemlockTarget::parse(who);
    if (!target) return refused(form("memlock takes @GROUP, USER or UNIT (slurmd.service), not '{}'", printable(who)));
    const bool unset = is_unset(request), is_unit = target->kind == Kind::unit;
    const auto size = MemlockSize::parse(much);
    if (!size && !unset)
        return refused(
            form("memlock takes unlimited, unset, or a number with K, M, G or T (64M), not '{}'", printable(much)));
    if (!unset && !in_image() && !exists(*target))
        return refused(form("group, user or unit '{}' does not exist; write a group as @GROUP, a unit as NAME.service",
                            printable(who)));
    HostPlan plan{.noun = "memlock", .setting = "memlock " + who + " " + (size ? size->str() : much)};
    plan.files.push_back(memlock_file(*target, size));
    plan.units = is_unit;
    if (!unset && !is_unit)
        plan.notes.push_back(with_root(_("The limit applies to logins (PAM) and to user@UID.service\n"
                                         "For a service of the system:\n"
                                         "  nm-ib host memlock UNIT SIZE")));
    const auto before = written(plan.files.front());
    plan.after = [&](bool changed) -> Result<Words> {
        Words notes;
        if (unset && !changed) return notes;
        const auto other = unset ? std::string() : overridden(*target, size->str());
        if (!other.empty()) notes.push_back(other);
        if (is_template(*target)) {
            notes.push_back(form("For each running instance of {}:\n"
                                 "  systemctl restart INSTANCE",
                                 who));
            return notes;
        }
        const auto wanted = unset ? before : size;
        for (const auto &h : Processes(std::span(&*target, 1)).of(*target)) {
            const bool same = wanted && h.limit.bytes == wanted->bytes.value_or(unlimited);
            if (same == unset)
                notes.push_back(line_of(h, is_unit));
            else if (is_unit)
                notes.push_back(form("process {} of {} may lock: {}", h.limit.pid, who, text_of(h.limit.bytes)));
        }
        const auto members = target->kind == Kind::group ? find_group(target->name) : std::nullopt;
        if (members && members->empty() && !unset)
            notes.push_back(form("the group {} has no users\n"
                                 "To add a user:\n"
                                 "  usermod -aG {} USER",
                                 target->name, target->name));
        return notes;
    };
    return carry_out(request, plan);
}

void add_memlock_rows(HostRows &rows)
{
    std::vector<Line> lines;
    const auto add = [&](const std::string &path, const std::string &text) { add_limits(path, text, lines); };
    if (const auto text = read_file("/etc/security/limits.conf")) add("/etc/security/limits.conf", *text);
    each_conf_file({std::string(limits_directory)}, add);
    const auto manager = [&](const std::string &path, const std::string &text) {
        add_unit("*.service", "DefaultLimitMEMLOCK=", path, text, lines);
    };
    if (const auto text = read_file("/etc/systemd/system.conf")) manager("/etc/systemd/system.conf", *text);
    each_conf_file({"/etc/systemd/system.conf.d", "/run/systemd/system.conf.d"}, manager);
    const auto of_limits = lines.size();
    add_units(lines);
    std::vector<MemlockTarget> targets;
    for (const auto &line : lines)
        if (line.target && !in_image()) targets.push_back(*line.target);
    const Processes processes(targets);
    for (std::size_t i = 0; i < lines.size(); i++) {
        auto &line = lines[i];
        if (line.target && !in_image() && (i < of_limits) == (line.target->kind != Kind::unit))
            add_effect(processes, *line.target, line);
        rows.push_back(std::move(line.row));
    }
}

} // namespace nmib::cli
