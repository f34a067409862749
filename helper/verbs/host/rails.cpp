// SPDX-License-Identifier: LGPL-2.1-or-later
/// host rails [IFACE...|unset]
#include "verbs/host/rails.hpp"

#include "apply/base/file.hpp"
#include "core/base/text.hpp"
#include "core/doctor/trouble.hpp"
#include "nm/nm_device.hpp"
#include "nm/profile.hpp"
#include "nm/profile_change.hpp"
#include "probe/check/route.hpp"
#include "probe/doctor/host.hpp"
#include "terminal/process.hpp"
#include "verbs/host/host.hpp"
#include "verbs/host/rails_profile.hpp"

#include <algorithm>
#include <map>
#include <unistd.h>
#include <utility>

namespace nmib::cli
{

std::vector<Rail> written_rails()
{
    const auto text = read_file(rails_file({}).path());
    return text && is_host_file(*text) ? rails_in(*text) : std::vector<Rail>();
}

namespace
{
using namespace std::chrono_literals;

constexpr const char *values_directory = "/proc/sys/net/ipv4/conf";

std::string to_remove_all()
{
    return _("To remove all rails:\n"
             "  nm-ib host rails unset");
}

Words names_of(const std::vector<Rail> &rails)
{
    Words names;
    for (const auto &rail : rails)
        if (names.empty() || names.back() != rail.interface.view()) names.push_back(rail.interface.str());
    return names;
}

/// Gives each rail the interface on which its profile is active: a port may have another name than in the file.
/// Returns the names of these interfaces.
Words update_names(const Daemon &daemon, std::vector<Rail> &rails)
{
    const auto states = ask_device_states(daemon, names_in(values_directory));
    Words active;
    for (auto &rail : rails) {
        const auto is_here = [&](const auto &one) {
            return one.second.uuid == rail.uuid && parse_rail_name(one.first);
        };
        auto found = states.find(rail.interface.str());
        if (found == states.end() || !is_here(*found)) found = std::find_if(states.begin(), states.end(), is_here);
        if (found == states.end()) continue;
        rail.interface = *parse_rail_name(found->first);
        active.push_back(found->first);
    }
    std::sort(active.begin(), active.end(), is_before);
    return active;
}

/// Returns those of the interfaces that are rails now, by whatever settings.
Words in_effect(const Words &names)
{
    if (names.empty()) return {};
    const auto proc = Dir::open("/proc");
    const auto networks = proc ? read_networks(*proc, names) : Result<std::vector<IpNetwork>>(proc.error());
    Words all;
    for (const auto &name : networks ? names : Words{}) {
        std::size_t right = 0, wrong = 0;
        for (const auto &n : *networks)
            if (n.interface == name) (n.is_rail ? right : wrong)++;
        if (right > 0 && wrong == 0) all.push_back(name);
    }
    return all;
}

/// The profiles before and after the change.
class Changes
{
public:
    explicit Changes(const Daemon &daemon) : daemon_(&daemon) {}

    /// Changes the routes and rules of a rail. A profile that was deleted is skipped.
    Result<void> set(const std::string &uuid, std::uint32_t table, const std::vector<RailAddress> &addresses)
    {
        if (!all_.contains(uuid)) {
            const auto path = daemon_->path_of(uuid);
            if (!path) return path.error().kind == Error::Kind::absent ? Result<void>() : path.error();
            auto profile = daemon_->profile(*path);
            if (!profile) return profile.error();
            auto after = copy_of(profile->get());
            all_[uuid] = {
                str(nm_connection_get_id(after.get())), uuid, *path, std::move(*profile), std::move(after), {}};
        }
        set_rail(all_[uuid].after.get(), table, addresses);
        return {};
    }

    /// Returns the changed profiles. Error: NetworkManager cannot store one of them.
    Result<std::vector<ProfileChange>> check()
    {
        std::vector<ProfileChange> changed;
        for (auto &[uuid, change] : all_) {
            if (rail_words(change.before.get(), change.after.get()).empty()) continue;
            change.to_undo = command(change.after.get(), change.before.get());
            auto why = hindrance_of(*daemon_, change.path, change.before.get());
            if (const auto sound = normalized(change.after.get()); why.empty() && !sound) why = sound.error().what;
            if (!why.empty()) return bad(form("profile '{}' ({}): {}", printable(change.id), uuid, printable(why)));
            changed.push_back(std::move(change));
        }
        return changed;
    }

    /// Returns the nmcli command for a change.
    static std::string command(NMConnection *before, NMConnection *after)
    {
        CommandLine line{"nmcli", "connection", "modify", str(nm_connection_get_uuid(after))};
        for (auto &word : rail_words(before, after)) line.push_back(std::move(word));
        return text(line);
    }

private:
    const Daemon *daemon_;
    std::map<std::string, ProfileChange> all_{}; ///< by UUID
};

/// A rail to be; without addresses: it is removed.
struct PlannedRail {
    Rail rail;
    std::vector<RailAddress> addresses{};
    std::uint32_t table = 0;
    std::vector<RailAddress> stored{}; ///< all addresses in the profile
};

Result<PlannedRail> plan_rail(const Daemon &daemon, const std::string &word)
{
    const auto name = parse_rail_name(word);
    if (!name)
        return bad(form("{}: not a name for a file of sysctl.d: only letters, digits, '.', '_' and '-', and neither "
                        "'all' nor 'default'",
                        printable(word)));
    const auto device = nm_device_of(daemon, *name);
    if (!device.stored || !device.activated) return bad(form("{}: no stored profile is active on the interface", word));
    const auto profile = daemon.profile(device.profile);
    if (!profile) return profile.error();
    auto addresses = rail_addresses(profile->get());
    if (!addresses) return bad(form("{}: profile '{}': {}", word, printable(device.id), addresses.error().what));
    return PlannedRail{
        {*name, str(nm_connection_get_uuid(profile->get()))}, std::move(*addresses), rail_table(profile->get())};
}

/// A rail of an earlier run: without addresses if its profile was deleted, or has none.
Result<PlannedRail> reread(const Daemon &daemon, const Rail &rail)
{
    const auto path = daemon.path_of(rail.uuid);
    const auto profile = path ? daemon.profile(*path) : path.error();
    if (!profile)
        return profile.error().kind == Error::Kind::absent ? PlannedRail{rail} : Result<PlannedRail>(profile.error());
    auto addresses = rail_addresses(profile->get());
    return PlannedRail{rail, addresses ? std::move(*addresses) : std::vector<RailAddress>(),
                       rail_table(profile->get())};
}

/// Gives a table to each rail that has none of its own.
Result<void> take_tables(const Daemon &daemon, std::vector<PlannedRail> &planned)
{
    auto used = read_routing_numbers();
    const auto paths = daemon.profile_paths();
    if (!used) return used.error();
    if (!paths) return paths.error();
    daemon.each_profile_at(*paths, [&](const std::string &, const Result<Object<NMConnection>> &profile) {
        if (profile) add_routing_numbers(profile->get(), *used);
    });
    std::set<std::uint32_t> taken;
    for (auto &one : planned) {
        if (one.addresses.empty()) continue;
        if (one.table != 0 && taken.insert(one.table).second) continue; // a copy of a profile has its table
        const auto table = take_rail_table(*used);
        if (!table) return bad(_("no routing table is free"));
        one.table = *table;
    }
    return {};
}

/// Returns a rail for each name, then the others of earlier runs.
Result<std::vector<PlannedRail>> plan_rails(const Daemon &daemon, const Words &names, const std::vector<Rail> &before)
{
    std::vector<PlannedRail> planned;
    for (const auto &word : names) {
        auto one = plan_rail(daemon, word);
        if (!one) return one.error();
        planned.push_back(std::move(*one));
    }
    const auto has = [](const std::vector<Rail> &rails, const std::string &uuid) {
        return std::any_of(rails.begin(), rails.end(), [&](const Rail &r) { return r.uuid == uuid; });
    };
    for (const auto &rail : before) {
        // A new profile on the interface replaces this rail. A rail of an earlier run only has its name now.
        bool is_planned = false, is_replaced = false;
        for (std::size_t i = 0; i < planned.size(); i++) {
            const auto &[interface, uuid] = planned[i].rail;
            is_planned |= uuid == rail.uuid;
            is_replaced |= i < names.size() && interface == rail.interface && !has(before, uuid);
        }
        if (is_planned) continue;
        auto one = is_replaced ? Result<PlannedRail>(PlannedRail{rail}) : reread(daemon, rail);
        if (!one) return one.error();
        planned.push_back(std::move(*one));
    }
    std::vector<std::vector<RailAddress>> addresses;
    addresses.reserve(planned.size());
    for (const auto &w : planned) addresses.push_back(w.addresses);
    keep_shared(addresses);
    for (std::size_t i = 0; i < planned.size(); i++) {
        if (addresses[i].empty() && i < names.size())
            return bad(
                form("{}: no other interface of the command, and no rail, has an IPv4 address in the same subnet",
                     planned[i].rail.interface.view()) +
                (before.empty() ? std::string() : "\n" + to_remove_all()));
        planned[i].stored = std::exchange(planned[i].addresses, std::move(addresses[i]));
    }
    if (const auto done = take_tables(daemon, planned); !done) return done.error();
    return planned;
}

/// Gives the interfaces the values of sysctl.d, as at boot. An interface that is no longer a rail first gets the
/// kernel's values for a new interface.
Result<void> apply_values(const std::vector<PlannedRail> &planned)
{
    const auto conf = Dir::open(values_directory);
    if (!conf) return conf.error();
    Words command{"/usr/lib/systemd/systemd-sysctl"};
    for (const auto &one : planned) {
        const auto name = one.rail.interface.str();
        if (const auto there = conf->exists(name); !there || !*there) continue;
        for (const auto &[key, value] : rail_values) {
            command.push_back("--prefix=/net/ipv4/conf/" + name + "/" + key);
            if (const auto file = name + "/" + key; one.addresses.empty())
                if (auto done = write_value(*conf, file, conf->line(std::string("default/") + key), file); !done)
                    return done;
        }
    }
    return command.size() > 1 ? run_program(command) : Result<void>();
}

/// Applies the changes to the active devices, whose links stay up.
Words apply_to_devices(const Daemon &daemon, const std::vector<PlannedRail> &planned)
{
    Words notes;
    for (const auto &one : planned) {
        const auto &rail = one.rail;
        const auto device = nm_device_of(daemon, rail.interface);
        const auto path = daemon.path_of(rail.uuid);
        if (!path || device.profile != *path || !device.activated) continue;
        bool differs = false;
        const auto done = reapply(daemon, device.path, [&](NMConnection *applied) {
            const auto own = rail_addresses(applied);
            differs = !one.addresses.empty() && !(own && *own == one.stored);
            set_rail(applied, one.table, !differs ? one.addresses : own ? *own : std::vector<RailAddress>());
        });
        if (done && differs)
            notes.push_back(form("{}: the profile has changes that are not applied\n"
                                 "To apply them:\n"
                                 "  nmcli connection up {}",
                                 rail.interface.view(), rail.uuid));
        if (!done)
            notes.push_back(form("{}: NetworkManager cannot apply the change now: {}\n"
                                 "To apply it:\n"
                                 "  nmcli connection up {}",
                                 rail.interface.view(), printable(done.error().what), rail.uuid));
    }
    return notes;
}
} // namespace

Status host_rails(const Request &request)
{
    const bool unset = request.words == Words{"unset"} || request.words == Words{"none"};
    const auto daemon = Daemon::connect();
    if (!daemon) return daemon.error();
    auto before = written_rails();
    update_names(*daemon, before);
    auto names = unset ? Words() : request.words;
    std::sort(names.begin(), names.end(), is_before);
    names.erase(std::unique(names.begin(), names.end()), names.end());
    auto planned = unset ? std::vector<PlannedRail>() : plan_rails(*daemon, names, before);
    if (!planned) return host_failure(planned.error());
    for (const auto &rail : unset ? before : std::vector<Rail>()) planned->push_back({rail});

    Changes changes(*daemon);
    std::vector<Rail> rails;
    for (const auto &one : *planned) {
        if (!one.addresses.empty()) rails.push_back(one.rail);
        if (const auto done = changes.set(one.rail.uuid, one.table, one.addresses); !done)
            return host_failure(done.error());
    }
    const auto changed_profiles = changes.check();
    if (!changed_profiles) return host_failure(changed_profiles.error());

    std::sort(rails.begin(), rails.end(), [](const Rail &a, const Rail &b) {
        return a.interface == b.interface ? a.uuid < b.uuid : is_before(a.interface.str(), b.interface.str());
    });
    HostPlan plan{.noun = "rails", .setting = "rails " + (unset ? "unset" : join(names_of(rails), " "))};
    plan.files.push_back(rails_file(rails));
    for (const auto &change : *changed_profiles)
        plan.profiles.push_back(Changes::command(change.before.get(), change.after.get()));
    plan.after = [&](bool changed) -> Result<Words> {
        if (const auto active = update_names(*daemon, rails); !changed && in_effect(active) == active) return Words{};
        if (::geteuid() != 0)
            return bad(_("only root can change settings of the machine; --dry-run shows the changes"));
        if (const auto done = store(*daemon, *changed_profiles); !done) return done.error();
        Words notes;
        if (const auto done = apply_values(*planned); !done) notes.push_back(printable(done.error().what));
        for (auto &note : apply_to_devices(*daemon, *planned)) notes.push_back(std::move(note));
        if (unset) return notes;
        wait_until(5s, [&] { return in_effect(names) == names; }); // NetworkManager writes routes after its answer
        const auto now = in_effect(names);
        auto others = names;
        std::erase_if(others, [&](const auto &name) { return std::find(now.begin(), now.end(), name) != now.end(); });
        if (!others.empty())
            notes.push_back(form("Not in effect on: {}: another file of sysctl.d may set arp_ignore, arp_announce or "
                                 "rp_filter, or another routing rule comes first\n"
                                 "To list files and rules:\n"
                                 "  systemd-analyze cat-config sysctl.d\n"
                                 "  ip rule",
                                 join(others, ", ")));
        if (!now.empty()) notes.push_back(form("In effect on: {}", join(now, ", ")));
        notes.push_back(to_remove_all());
        return notes;
    };
    return carry_out(request, plan);
}

void add_rails_rows(HostRows &rows)
{
    if (auto rails = written_rails(); !rails.empty()) {
        const auto names = names_of(rails);
        const auto daemon = Daemon::connect();
        const auto active = daemon ? update_names(*daemon, rails) : names;
        const auto now = in_effect(active);
        HostRow row{"rails", join(names, " "), rails_file({}).path(), join(now, " "), {}, true};
        const bool all_written = std::all_of(active.begin(), active.end(), [&](const std::string &name) {
            return std::find(names.begin(), names.end(), name) != names.end();
        });
        if (daemon && !(now == active && all_written)) {
            row.commands = {{"nm-ib", "host", "rails"}};
            row.commands[0].insert(row.commands[0].end(), active.begin(), active.end());
        }
        rows.push_back(std::move(row));
    }
    each_conf_file({"/etc/sysctl.d", "/run/sysctl.d", "/usr/local/lib/sysctl.d", "/usr/lib/sysctl.d"},
                   [&](const std::string &path, const std::string &text) {
                       for (const auto &line : is_host_file(text) ? Words{} : cut(text, "\n")) {
                           const std::string setting(trim(line));
                           if (setting.find("arp_ignore") != setting.npos ||
                               setting.find("arp_announce") != setting.npos)
                               if (!setting.starts_with('#') && !setting.starts_with(';'))
                                   rows.push_back({"rails", setting, path});
                       }
                   });
}

} // namespace nmib::cli
