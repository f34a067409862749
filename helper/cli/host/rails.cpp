// SPDX-License-Identifier: LGPL-2.1-or-later
/// host rails [IFACE...|unset]
#include "cli/host/rails.hpp"

#include "apply/base/file.hpp"
#include "cli/base/image.hpp"
#include "cli/base/process.hpp"
#include "cli/base/profile.hpp"
#include "cli/daemon/profile_change.hpp"
#include "cli/host/host.hpp"
#include "cli/name/nm_device.hpp"
#include "core/base/text.hpp"
#include "core/doctor/trouble.hpp"
#include "probe/check/route.hpp"
#include "probe/doctor/host.hpp"

#include <algorithm>
#include <map>
#include <net/if.h>
#include <unistd.h>

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

Words names_of(const std::vector<Rail> &rails)
{
    Words names;
    for (const auto &rail : rails) names.push_back(rail.interface.str());
    return names;
}

/// Gives each rail the interface on which its profile is active: a port may have another name than in the file.
void update_names(const Daemon &daemon, std::vector<Rail> &rails)
{
    const auto states = ask_device_states(daemon, names_in(values_directory));
    for (auto &rail : rails) {
        const auto same = states.find(rail.interface.str());
        if (same != states.end() && same->second.uuid == rail.uuid) continue;
        for (const auto &[interface, state] : states)
            if (const auto name = parse_rail_name(interface); name && state.uuid == rail.uuid) rail.interface = *name;
    }
}

/// Returns those of the interfaces that are rails now, by whatever settings.
Words in_effect(const Words &names)
{
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
    for (const auto &rail : before) {
        const auto same = std::find_if(planned.begin(), planned.end(), [&](const PlannedRail &w) {
            return w.rail.uuid == rail.uuid || w.rail.interface == rail.interface;
        });
        if (same != planned.end() && same->rail.uuid == rail.uuid) continue;
        // With another profile on the interface, this one is no rail.
        auto one = same == planned.end() ? reread(daemon, rail) : Result<PlannedRail>(PlannedRail{rail});
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
                     planned[i].rail.interface.view()));
        planned[i].addresses = std::move(addresses[i]);
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
        const auto done =
            reapply(daemon, device.path, [&](NMConnection *applied) { set_rail(applied, one.table, one.addresses); });
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
    for (const auto &[rail, addresses, table] : *planned) {
        if (!addresses.empty()) rails.push_back(rail);
        if (const auto done = changes.set(rail.uuid, table, addresses); !done) return host_failure(done.error());
    }
    const auto changed_profiles = changes.check();
    if (!changed_profiles) return host_failure(changed_profiles.error());

    std::sort(rails.begin(), rails.end(),
              [](const Rail &a, const Rail &b) { return is_before(a.interface.str(), b.interface.str()); });
    HostPlan plan{.noun = "rails", .setting = "rails " + (unset ? "unset" : join(names_of(rails), " "))};
    plan.files.push_back(rails_file(rails));
    for (const auto &change : *changed_profiles)
        plan.profiles.push_back(Changes::command(change.before.get(), change.after.get()));
    plan.after = [&](bool changed) -> Result<Words> {
        if (const auto all = names_of(rails); !changed && in_effect(all) == all) return Words{};
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
        notes.push_back(_("To remove all rails:\n"
                          "  nm-ib host rails unset"));
        return notes;
    };
    return carry_out(request, plan);
}

void add_rails_rows(HostRows &rows)
{
    auto names = names_of(written_rails());
    const auto now = in_effect(names);
    if (!names.empty()) {
        HostRow row{"rails", join(names, " "), rails_file({}).path(), join(now, " "), {}, true};
        std::erase_if(names, [](const std::string &name) { return ::if_nametoindex(name.c_str()) == 0; });
        row.commands = {{"nm-ib", "host", "rails"}};
        row.commands[0].insert(row.commands[0].end(), names.begin(), names.end());
        if (now == names) row.commands.clear();
        rows.push_back(std::move(row));
    }
    each_conf_file({"/etc/sysctl.d", "/run/sysctl.d", "/usr/local/lib/sysctl.d", "/usr/lib/sysctl.d"},
                   [&](const std::string &path, const std::string &text) {
                       for (const auto &line : is_host_file(text) ? Words{} : cut(text, "\n"))
                           if (line.find("arp_ignore") != line.npos || line.find("arp_announce") != line.npos)
                               if (!line.starts_with('#') && !line.starts_with(';'))
                                   rows.push_back({"rails", std::string(trim(line)), path});
                   });
}

} // namespace nmib::cli
