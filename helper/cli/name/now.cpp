// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/name/now.hpp"

#include "apply/link.hpp"
#include "cli/name/standing.hpp"
#include "cli/name/unstoppable.hpp"
#include "core/naming.hpp"
#include "core/printable.hpp"

#include <algorithm>
#include <cerrno>

namespace nmib::cli
{

namespace
{
using namespace std::chrono_literals;

/// Until NetworkManager or our helper has removed a child that is down. One that is left keeps its place and gets its
/// name from us: NetworkManager leaves those that it had before it was restarted.
constexpr auto removal_limit = 5s;

class Renaming
{
public:
    Renaming(Rtnl &rtnl, const Daemon *daemon, const LinkRow &port, const IfName &to, const Bound *bound) :
        rtnl_(rtnl), daemon_(daemon), before_{.port = {port}}, from_(*port.name), to_(to), bound_(bound)
    {
    }

    /// Why it is not safe; also learns what there is.
    std::optional<std::string> danger();
    NowOutcome run();

private:
    Result<std::vector<LinkRow>> children() { return children_of(rtnl_, before_.port.row.ifindex); }
    std::optional<std::string> danger_of_profiles() const;

    Result<void> change();
    Result<void> bring_down();
    Result<void> rename(const IfName &from, const IfName &to);
    Result<void> wait_for_names();
    Result<void> bring_up();
    Words take_back();

    Rtnl &rtnl_;
    const Daemon *daemon_;
    Standing before_;
    IfName from_, to_;
    const Bound *bound_;
};

std::optional<std::string> Renaming::danger_of_profiles() const
{
    if (!bound_ || bound_->move.bindings().empty()) return std::nullopt;
    if (bound_->may_move) {
        const auto hindrance = bound_->move.hindrance();
        return hindrance ? std::optional(hindrance->what) : std::nullopt;
    }
    Words ids;
    for (const auto &b : bound_->move.bindings()) ids.push_back("'" + printable(b.id) + "'");
    return form(_("profiles are bound to the name %s, and --update-profiles was not given: %s"),
                before_.port.name().c_str(), join(ids, ", ").c_str());
}

std::optional<std::string> Renaming::danger()
{
    const auto other = rtnl_.link(to_);
    if (!other && other.error().kind != Error::Kind::absent) return other.error().what;
    if (other)
        return other->ifindex == before_.port.row.ifindex
                   ? form(_("%s is an alternative name of %s now"), printable(to_.view()).c_str(),
                          before_.port.name().c_str())
                   : form(_("there is an interface %s"), printable(to_.view()).c_str());
    auto standing = Standing::of(rtnl_, daemon_, before_.port.row);
    if (!standing) return standing.error().what;
    before_ = std::move(*standing);
    if (auto danger = before_.danger(daemon_)) return danger;
    if (!before_.children.empty() && to_.size() > parent_name_limit)
        return form(_("%s has P_Key children, and %s more than ten characters"), before_.port.name().c_str(),
                    printable(to_.view()).c_str());
    return danger_of_profiles();
}

/// Children first: they need the port.
Result<void> Renaming::bring_down()
{
    if (!daemon_) return {};
    const auto rows = children();
    if (!rows) return rows.error();
    const auto down = [&](const LinkRow &row) -> Result<void> {
        const auto h = held(*daemon_, *row.name);
        if (h.active.empty()) return {};
        const auto r = disconnect(*daemon_, h.device);
        if (!r) return Error{r.error().kind, printable(row.name->view()) + ": " + printable(r.error().what)};
        return {};
    };
    for (const auto &row : *rows)
        if (auto r = down(row); !r) return r;
    (void)wait_until(removal_limit, [&] {
        const auto left = children();
        return left && left->empty();
    });
    const auto port = rtnl_.link(before_.port.row.ifindex);
    if (!port) return port.error();
    return down(*port);
}

Result<void> Renaming::rename(const IfName &from, const IfName &to)
{
    const auto left = children();
    if (!left) return left.error();
    for (const auto &child : *left)
        if (auto r = set_up(rtnl_, child.ifindex, false); !r) return r;
    if (auto r = set_up(rtnl_, before_.port.row.ifindex, false); !r) return r;
    if (auto r = set_name(rtnl_, before_.port.row.ifindex, to); !r) return r;
    for (const auto &child : *left)
        if (const auto name = follow_name(child.name->view(), from, to))
            if (auto r = set_name(rtnl_, child.ifindex, *name); !r) return r;
    return wait_for_names();
}

/// NetworkManager hears of a name when udev has worked on it.
Result<void> Renaming::wait_for_names()
{
    if (before_.port.held.device.empty()) return {};
    const auto rows = children();
    const auto port = rtnl_.link(before_.port.row.ifindex);
    if (!rows || !port) return rows ? port.error() : rows.error();
    if (auto r = wait_for_name(*daemon_, before_.port.held.device, *port->name); !r) return r;
    for (const auto &row : *rows) {
        const auto was =
            std::find_if(before_.children.begin(), before_.children.end(),
                         [&](const Standing::Interface &child) { return child.row.ifindex == row.ifindex; });
        if (was == before_.children.end() || was->held.device.empty()) continue;
        if (auto r = wait_for_name(*daemon_, was->held.device, *row.name); !r) return r;
    }
    return {};
}

/// The port first, or NetworkManager brings it up for a child. What is up again, or still, is left alone.
Result<void> Renaming::bring_up()
{
    const auto port = rtnl_.link(before_.port.row.ifindex);
    if (!port || !port->name) return port ? sys_error(ENODEV, from_.str()) : port.error();
    if (before_.port.held.active.empty() && before_.port.row.up && !port->up)
        if (auto r = set_up(rtnl_, before_.port.row.ifindex, true); !r) return r;
    const auto up = [&](const Standing::Interface &interface, const std::string &device) -> Result<void> {
        const auto name = follow_name(interface.row.name->view(), from_, *port->name);
        if (interface.held.active.empty()) return {};
        const auto now = held(*daemon_, name.value_or(*interface.row.name));
        if (now.profile == interface.held.profile && now.settled) return {};
        return activate(*daemon_, interface.held, device);
    };
    if (auto r = up(before_.port, before_.port.held.device); !r) return r;
    for (const auto &child : before_.children)
        if (auto r = up(child, {}); !r) return r;
    return {};
}

Result<void> Renaming::change()
{
    if (auto r = bring_down(); !r) return r;
    if (auto r = rename(from_, to_); !r) return r;
    if (bound_ && bound_->may_move)
        if (auto r = bound_->move.make(); !r) return r;
    return bring_up();
}

/// From wherever `change` stopped.
Words Renaming::take_back()
{
    Words left;
    const auto attempt = [&](const Result<void> &r) {
        if (!r) left.push_back(printable(r.error().what));
    };
    const auto now = rtnl_.link(before_.port.row.ifindex);
    if (!now) return {printable(now.error().what)};
    const bool renamed = now->name != from_;
    if (renamed) attempt(bring_down());
    if (bound_)
        for (auto &line : bound_->move.take_back()) left.push_back(std::move(line));
    if (renamed) attempt(rename(*now->name, from_));
    attempt(bring_up());
    return left;
}

NowOutcome Renaming::run()
{
    const Unstoppable unstoppable;
    if (const auto changed = change(); !changed) {
        const auto left = take_back();
        const auto why = printable(changed.error().what);
        return {NowOutcome::Kind::failed,
                left.empty() ? form(_("%s; all is as before"), why.c_str())
                             : form(_("%s; this could not be taken back: %s"), why.c_str(), join(left, "; ").c_str()),
                {}};
    }
    NowOutcome outcome;
    for (const auto &upper : before_.uppers) { // a bond whose profile names its primary port
        const auto is_moved = [&](const Binding &b) { return b.path == upper.held.profile; };
        const auto *all = bound_ ? &bound_->move.bindings() : nullptr;
        if (!all || std::none_of(all->begin(), all->end(), is_moved) || reapply(*daemon_, upper.held.device)) continue;
        outcome.notes.push_back(form(_("%s follows its profile '%s' when it is brought up again"), upper.name().c_str(),
                                     printable(upper.held.id).c_str()));
    }
    return outcome;
}
} // namespace

NowOutcome name_now(Rtnl &rtnl, const Daemon *daemon, int ifindex, const IfName &to, const Bound *bound)
{
    const auto row = rtnl.link(ifindex);
    if (!row || !row->name || !row->infiniband || row->parent != 0)
        return {NowOutcome::Kind::not_safe, row ? std::string(_("it is no port's interface")) : row.error().what, {}};
    if (row->name == to) return {};
    Renaming renaming(rtnl, daemon, *row, to, bound);
    if (auto danger = renaming.danger()) return {NowOutcome::Kind::not_safe, std::move(*danger), {}};
    return renaming.run();
}

} // namespace nmib::cli
