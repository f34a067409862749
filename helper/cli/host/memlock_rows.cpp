// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/host/limits.hpp"
#include "cli/host/rows.hpp"
#include "cli/host/units.hpp"
#include "core/number.hpp"
#include "core/translate.hpp"
#include "probe/dir.hpp"

#include <algorithm>

namespace nmib::cli
{

namespace
{
constexpr std::size_t longest = 65536;

/// The smallest that processes have, and what each needs that has another.
void add_effect(const MemlockTarget &target, const std::string &size, HostRow &row)
{
    std::optional<std::uint64_t> smallest;
    Words needs;
    for (const auto &h : limit_holders(target)) {
        if (h.elsewhere) continue;
        smallest = std::min(smallest.value_or(h.limit.bytes), h.limit.bytes);
        const auto need =
            h.remedy.empty() || h.remedy.starts_with("loginctl") ? std::string(_("a new login")) : h.remedy;
        if (memlock_text(h.limit.bytes) != size && std::find(needs.begin(), needs.end(), need) == needs.end())
            needs.push_back(need);
    }
    if (smallest) row.effect = memlock_text(*smallest);
    row.needs = join(needs, "; ");
    const auto other = row.ours ? overruled_by(target) : std::string();
    if (!other.empty()) row.needs = form(_("%s comes behind it, and counts"), other.c_str());
}

void add_limits(const std::string &path, const std::string &text, HostRows &rows)
{
    for (const auto &line : cut(text, "\n")) {
        const auto limits = LimitsLine::parse(line);
        if (!limits) continue;
        auto size = limits->value;
        if (const auto kib = parse_decimal(size, UINT64_MAX >> 11)) size = memlock_text(*kib << 10);
        if (size == "-1" || size == "infinity") size = "unlimited"; // limits.conf(5)
        HostRow row{"memlock", limits->who + " " + size, path, {}, {}, is_host_file(text)};
        if (const auto target = MemlockTarget::parse(limits->who)) add_effect(*target, size, row);
        rows.push_back(std::move(row));
    }
}

/// `unit`: whose file it is; "*" for the manager's own defaults.
void add_unit(const std::string &unit, std::string_view key, const std::string &path, const std::string &text,
              HostRows &rows)
{
    for (const auto &line : cut(text, "\n")) {
        if (!line.starts_with(key)) continue;
        const auto value = strip(line.substr(key.size()));
        const auto bytes = MemlockSize::parse(value);
        const auto plain = parse_decimal(value, UINT64_MAX / 2);
        const auto size = value == "infinity"     ? std::string("unlimited")
                          : plain                 ? memlock_text(*plain)
                          : bytes && bytes->bytes ? memlock_text(*bytes->bytes)
                                                  : value;
        HostRow row{"memlock", unit + " " + size, path, {}, {}, is_host_file(text)};
        const auto target = MemlockTarget::parse(unit);
        if (target && target->kind == MemlockTarget::Kind::unit) add_effect(*target, size, row);
        rows.push_back(std::move(row));
    }
}

void add_units(HostRows &rows)
{
    const std::string place(units_directory);
    const auto units = Dir::open(place);
    const auto names = units ? units->list() : Result<Words>(Error{});
    for (const auto &name : names ? *names : Words{}) {
        if (name.ends_with(".d"))
            each_conf_file(place + "/" + name, [&](const std::string &path, const std::string &text) {
                add_unit(name.substr(0, name.size() - 2), "LimitMEMLOCK=", path, text, rows);
            });
        else if (const auto text =
                     name.ends_with(".service") ? units->read(name, longest) : Result<std::string>(Error{}))
            add_unit(name, "LimitMEMLOCK=", place + "/" + name, *text, rows);
    }
}
} // namespace

void add_memlock_rows(HostRows &rows)
{
    const auto add = [&](const std::string &path, const std::string &text) { add_limits(path, text, rows); };
    const auto security = Dir::open("/etc/security");
    if (const auto text = security ? security->read("limits.conf", longest) : Result<std::string>(Error{}))
        add("/etc/security/limits.conf", *text);
    each_conf_file(std::string(limits_directory), add);
    const auto manager = [&](const std::string &path, const std::string &text) {
        add_unit("*.service", "DefaultLimitMEMLOCK=", path, text, rows);
    };
    const auto systemd = Dir::open("/etc/systemd");
    if (const auto text = systemd ? systemd->read("system.conf", longest) : Result<std::string>(Error{}))
        manager("/etc/systemd/system.conf", *text);
    each_conf_file("/etc/systemd/system.conf.d", manager);
    add_units(rows);
}

} // namespace nmib::cli
