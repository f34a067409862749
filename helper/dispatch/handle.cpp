// SPDX-License-Identifier: LGPL-2.1-or-later
#include "dispatch/handle.hpp"

#include "apply/plan/apply.hpp"
#include "apply/plan/link.hpp"
#include "core/base/text.hpp"
#include "core/plan/moment.hpp"
#include "dispatch/event.hpp"
#include "dispatch/port_answers.hpp"
#include "probe/plan/profile.hpp"
#include "probe/plan/state.hpp"

namespace nmib
{

namespace
{

/// Adds the reason why nothing is done; handle() drops the line unless the log level is debug.
void debug(Lines &lines, const Event &event, const std::string &why)
{
    lines.emplace_back(Severity::debug, event.link.str() + ": " + why);
}

/// Reads the part of the stored profile that this helper may apply.
Intent read_intent(const Event &event, const LinkRow &link, Lines &lines)
{
    Intent intent;
    if (auto profile = read_profile(event.filename))
        intent = std::move(profile->intent);
    else
        lines.emplace_back(Severity::error,
                           event.link.str() + ": profile '" + printable(event.id) +
                               "' cannot be read, applying only quirks: " + printable(profile.error().what));
    intent.ifindex = link.ifindex;
    return narrowed(std::move(intent), Moment::dispatched, {.mtu = link.mtu});
}

/// Seconds that a carrier may take after `up` before the reason is looked for.
constexpr unsigned carrier_wait = 3;

/// At `down`, words that cannot be read, or are wrong, may say so: nothing is removed.
bool is_opted_out(const Event &event, const HandlePaths &paths)
{
    const bool down = event.action == Event::Action::down;
    const auto read = read_rdma_words(paths.words, event.uuid);
    return read ? read->words.skip || (down && !read->bad.empty()) : down;
}

/// Events wait behind slow scripts: another profile, or no profile, may be active by now.
bool is_late(const Event &event, const HandlePaths &paths, int ifindex)
{
    const auto devices = Dir::open(paths.probe.devices);
    const auto note = devices ? read_device_note(*devices, ifindex) : std::nullopt;
    return event.action == Event::Action::up && note && note->profile_uuid != event.uuid;
}

/// Reports what only the port's firmware knows: why there is no carrier, and a limited membership. The plugin leaves
/// this to the helper, because the daemon must not wait for a firmware.
void explain(const Event &event, const HandlePaths &paths, const LinkRow &link, const PolicyRead &read, Probe &probe,
             Lines &lines)
{
    if (event.action != Event::Action::up || is_opted_out(event, paths)) return;
    if (!link.carrier) wait_outside_queue(carrier_wait);
    const auto now = link.carrier ? link : probe.rtnl().link(link.ifindex);
    if (!now || !now->name || (now->carrier && !now->parent)) return;
    auto facts = probe.around(now->ifindex, read.policy, Probe::Depth::link);
    if (!facts) return;
    ask_port(probe, paths.probe, *facts);
    auto logged = read_logged(paths.probe.state, *now, event.uuid);
    for (const auto &f : plan(*facts, {.ifindex = now->ifindex}, read.policy).findings)
        if (f.kind == find_kind("pkey-limited") || f.kind == find_kind("pkey-not-in-table") ||
            f.kind == find_kind("no-subnet-manager"))
            if (const auto line = text(f); logged.first_time(f.severity, line)) lines.emplace_back(f.severity, line);
    keep_logged(paths.probe.state, *now, event.uuid, logged);
}

/// What the last activation has logged is logged again if it went away meanwhile.
void next_activation(const Event &event, const HandlePaths &paths, const LinkRow &link)
{
    auto logged = read_logged(paths.probe.state, link, event.uuid);
    logged.next();
    keep_logged(paths.probe.state, link, event.uuid, logged);
}

void activated(const Event &event, const HandlePaths &paths, const LinkRow &link, const PolicyRead &read, Probe &probe,
               Lines &lines)
{
    if (is_late(event, paths, link.ifindex)) return debug(lines, event, "late event: the profile is no longer active");
    const auto &policy = read.policy;
    if (is_opted_out(event, paths)) return debug(lines, event, "the profile has rdma.skip yes");
    const auto intent = read_intent(event, link, lines);
    const auto outcome = plan_and_apply(probe, paths.probe.state, intent, policy);
    if (!outcome) {
        const bool gone = outcome.error().kind == Error::Kind::absent;
        lines.emplace_back(gone ? Severity::debug : Severity::error, event.link.str() + ": " + outcome.error().what);
        return;
    }
    if (outcome->applied.done.empty() && outcome->applied.failures.empty()) debug(lines, event, "nothing to change");
    // Every change is logged, but each finding only once.
    const bool quiet = event.action == Event::Action::reapply;
    auto logged = read_logged(paths.probe.state, link, event.uuid);
    if (!quiet)
        for (const auto &w : read.warnings)
            if (const auto line = printable(w.what); logged.first_time(Severity::warning, line))
                lines.emplace_back(Severity::warning, line);
    auto now = nmib::lines(*outcome, policy, quiet);
    const auto attempts = text(outcome->applied.done, policy).size() + outcome->applied.failures.size();
    for (std::size_t i = 0; i < now.size(); i++)
        if (i < attempts || logged.first_time(now[i].first, now[i].second)) lines.push_back(std::move(now[i]));
    keep_logged(paths.probe.state, link, event.uuid, logged);
    if (event.action == Event::Action::up)
        if (const auto r = remember_child(link, paths.probe); !r) lines.emplace_back(Severity::warning, r.error().what);
    explain(event, paths, link, read, probe, lines);
}

void beside_plugin(const Event &event, const HandlePaths &paths, const LinkRow &link, const PolicyRead &read,
                   Probe &probe, Lines &lines)
{
    debug(lines, event, "the plugin is in charge");
    if (event.action == Event::Action::up) next_activation(event, paths, link);
    explain(event, paths, link, read, probe, lines);
}

void deactivated(const Event &event, const HandlePaths &paths, const LinkRow &link, const PolicyRead &read,
                 Probe &probe, Lines &lines)
{
    next_activation(event, paths, link);
    if (!read.policy.remove_leftovers) return debug(lines, event, "remove-leftover-children is off");
    auto verdict = judge_leftover(link, paths.probe, false);
    const auto stays = [&] { debug(lines, event, std::string("not removed: ") + reason(verdict)); };
    if (verdict != Leftover::yes && verdict != Leftover::later) return stays();
    wait_outside_queue(leftover_wait(verdict));
    const auto now = probe.rtnl().link(link.ifindex);
    if (is_unread(now, lines)) return;
    if (!now || !now->name) return debug(lines, event, "no longer exists");
    verdict = judge_leftover(*now, paths.probe, true);
    if (verdict != Leftover::yes) return stays();
    if (is_opted_out(event, paths))
        return debug(lines, event, "not removed: the profile has rdma.skip yes, or its words cannot be read");
    const auto removed = delete_child(probe.rtnl(), now->ifindex);
    if (!removed && removed.error().kind != Error::Kind::absent)
        lines.emplace_back(Severity::error, event.link.str() + ": P_Key child not removed: " + removed.error().what);
    else if (removed)
        lines.emplace_back(Severity::note, event.link.str() + ": P_Key child removed: NetworkManager had left it "
                                                              "behind");
}
} // namespace

LoggedLines read_logged(const std::string &state, const LinkRow &link, const std::string &uuid)
{
    const auto text = read_state(state, state_logged, *link.name, link.ifindex);
    const bool same = text && text->starts_with(printable(uuid) + "\n");
    return same ? LoggedLines::parse(*text) : LoggedLines();
}

void keep_logged(const std::string &state, const LinkRow &link, const std::string &uuid, const LoggedLines &logged)
{
    if (logged == read_logged(state, link, uuid)) return;
    (void)keep_state(state, state_logged, *link.name, link.ifindex, printable(uuid) + "\n" + logged.str());
}

Lines handle(const Event &event, const HandlePaths &paths)
{
    Lines lines;
    auto probe = Probe::open(paths.probe);
    if (!probe) {
        lines.emplace_back(Severity::error, event.link.str() + ": " + probe.error().what);
        return lines;
    }
    const auto read = read_policy(paths.policy);
    const auto link = probe->rtnl().link(event.link);
    const auto state = Dir::open(paths.probe.state);
    if (is_unread(link, lines)) return lines;
    if (!link || !link->name || !link->infiniband)
        debug(lines, event, "not an InfiniBand interface, or does not exist");
    else if (state && plugin_in_charge(*state))
        beside_plugin(event, paths, *link, read, *probe, lines);
    else
        (event.action == Event::Action::down ? deactivated : activated)(event, paths, *link, read, *probe, lines);
    if (!read.policy.debug) std::erase_if(lines, [](const auto &line) { return line.first == Severity::debug; });
    return lines;
}

namespace
{
/// Stays the same from `up` until the child is used again.
std::string identity(const LinkRow &child, const ProbePaths &paths)
{
    const auto sysfs = Dir::open(paths.sysfs);
    const auto changes = sysfs ? carrier_changes(*sysfs, *child.name) : std::nullopt;
    return child.address.str() + " " + (changes ? std::to_string(*changes) : "?") + "\n";
}
} // namespace

Result<void> remember_child(const LinkRow &child, const ProbePaths &paths)
{
    if (const auto use = read_child_use(paths.devices, child); !use.child || !use.made) return {};
    return keep_state(paths.state, state_child, *child.name, child.ifindex, identity(child, paths));
}

Leftover judge_leftover(const LinkRow &child, const ProbePaths &paths, bool waited)
{
    const auto remembered = read_state(paths.state, state_child, *child.name, child.ifindex);
    auto use = read_child_use(paths.devices, child);
    use.made = remembered.has_value(); // recorded at `up`
    use.request = remembered && identity(child, paths) != *remembered;
    use.may_wait = !waited;
    return leftover(use);
}

} // namespace nmib
