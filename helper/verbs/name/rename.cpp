// SPDX-License-Identifier: LGPL-2.1-or-later
#include "verbs/name/rename.hpp"

#include "apply/plan/link.hpp"
#include "core/base/text.hpp"
#include "core/ib/ifname.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>

namespace nmib::cli
{

namespace
{
using namespace std::chrono_literals;

/// For NetworkManager or nm-infiniband to remove children that are down. NetworkManager does not remove those from
/// before its restart: PortRename renames them.
constexpr auto removal_limit = 5s;

/// Ignores signals while it exists, so that a rename does not stop halfway.
class SignalsIgnored
{
public:
    SignalsIgnored()
    {
        struct sigaction ignore {
        };
        ignore.sa_handler = SIG_IGN;
        for (std::size_t i = 0; i < signals.size(); i++) sigaction(signals[i], &ignore, &before_[i]);
    }
    SignalsIgnored(const SignalsIgnored &) = delete;
    SignalsIgnored &operator=(const SignalsIgnored &) = delete;
    ~SignalsIgnored()
    {
        for (std::size_t i = 0; i < signals.size(); i++) sigaction(signals[i], &before_[i], nullptr);
    }

private:
    static constexpr std::array signals{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP};
    std::array<struct sigaction, signals.size()> before_{};
};
} // namespace

PortRename::PortRename(const Daemon &daemon, Rtnl rtnl, PortUpperdevs before, const IfName &to, ProfileMove &move,
                       std::chrono::seconds wait) :
    daemon_(&daemon),
    rtnl_(std::move(rtnl)), before_(std::move(before)), from_(*before_.port.row.name), to_(to), move_(&move),
    wait_(wait)
{
}

Result<PortRename> PortRename::of(const Daemon &daemon, int ifindex, const IfName &to, ProfileMove &move,
                                  std::chrono::seconds wait)
{
    auto rtnl = Rtnl::open();
    if (!rtnl) return rtnl.error();
    const auto row = rtnl->link(ifindex);
    if (!row) return row.error();
    if (!row->name || !row->infiniband || row->parent != 0) return sys_error(ENODEV, to.str());
    auto found = PortUpperdevs::of(*rtnl, daemon, *row);
    if (!found) return found.error();
    PortRename rename(daemon, std::move(*rtnl), std::move(*found), to, move, wait);
    if (const auto why = rename.danger())
        return Error{Error::Kind::refused,
                     form("{} cannot be renamed now: {}; without --now the name holds from the next boot on",
                          rename.before_.port.name(), *why)};
    return rename;
}

std::optional<std::string> PortRename::danger()
{
    const auto other = rtnl_.link(to_);
    if (!other && other.error().kind != Error::Kind::absent) return other.error().what;
    if (other)
        return other->ifindex == before_.port.row.ifindex
                   ? form("{} is an alternative name of {} now", printable(to_.view()), before_.port.name())
                   : form("interface {} already exists", printable(to_.view()));
    if (auto danger = before_.danger()) return danger;
    if (!before_.children.empty() && to_.size() > parent_name_limit)
        return form("{} has P_Key children, and {} has more than 10 characters", before_.port.name(),
                    printable(to_.view()));
    for (const auto &child : before_.children) {
        const auto name = follow_name(child.row.name->view(), from_, to_);
        if (name && rtnl_.link(*name)) return form("interface {} already exists", printable(name->view()));
    }
    const auto movable = move_->check();
    return movable ? std::nullopt : std::optional(movable.error().what);
}

/// Children first: they need the port.
Result<void> PortRename::bring_down()
{
    const auto rows = children();
    if (!rows) return rows.error();
    const auto down = [&](const LinkRow &row) -> Result<void> {
        const auto h = nm_device_of(*daemon_, *row.name);
        if (h.active.empty()) return {};
        const auto r = disconnect(*daemon_, h.path);
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

Result<void> PortRename::rename(const IfName &from, const IfName &to)
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

/// NetworkManager reads a new name after udev has processed it.
Result<void> PortRename::wait_for_names()
{
    if (before_.port.device.path.empty()) return {};
    const auto rows = children();
    const auto port = rtnl_.link(before_.port.row.ifindex);
    if (!rows || !port) return rows ? port.error() : rows.error();
    if (auto r = wait_for_name(*daemon_, before_.port.device.path, *port->name); !r) return r;
    for (const auto &row : *rows) {
        const auto was =
            std::find_if(before_.children.begin(), before_.children.end(),
                         [&](const PortUpperdevs::Interface &child) { return child.row.ifindex == row.ifindex; });
        if (was == before_.children.end() || was->device.path.empty()) continue;
        if (auto r = wait_for_name(*daemon_, was->device.path, *row.name); !r) return r;
    }
    return {};
}

/// The port first, or NetworkManager activates the port for a child. Skips what is active.
Result<void> PortRename::bring_up()
{
    const auto port = rtnl_.link(before_.port.row.ifindex);
    if (!port || !port->name) return port ? sys_error(ENODEV, from_.str()) : port.error();
    if (before_.port.device.active.empty() && before_.port.row.up && !port->up)
        if (auto r = set_up(rtnl_, before_.port.row.ifindex, true); !r) return r;
    const auto up = [&](const PortUpperdevs::Interface &interface, const std::string &device) -> Result<void> {
        const auto name = follow_name(interface.row.name->view(), from_, *port->name);
        if (interface.device.active.empty()) return {};
        const auto now = nm_device_of(*daemon_, name.value_or(*interface.row.name));
        if (now.profile == interface.device.profile && now.activated) return {};
        return activate(*daemon_, interface.device, device, wait_);
    };
    if (auto r = up(before_.port, before_.port.device.path); !r) return r;
    for (const auto &child : before_.children)
        if (auto r = up(child, {}); !r) return r;
    return {};
}

/// The interface before the profiles: otherwise NetworkManager does not activate a bond's port.
Result<void> PortRename::change()
{
    if (auto r = bring_down(); !r) return r;
    if (auto r = rename(from_, to_); !r) return r;
    if (auto r = move_->make(); !r) return r;
    return bring_up();
}

/// Undoes change(), also if it stopped halfway.
Words PortRename::take_back()
{
    Words left;
    const auto attempt = [&](const Result<void> &r) {
        if (!r) left.push_back(printable(r.error().what));
    };
    const auto now = rtnl_.link(before_.port.row.ifindex);
    if (!now) return {printable(now.error().what)};
    const bool renamed = now->name != from_;
    if (renamed) attempt(bring_down());
    for (auto &line : move_->take_back()) left.push_back(std::move(line));
    if (renamed) attempt(rename(*now->name, from_));
    attempt(bring_up());
    return left;
}

Result<Words> PortRename::run()
{
    const SignalsIgnored ignored;
    if (const auto changed = change(); !changed) {
        const auto left = take_back();
        const auto why = printable(changed.error().what);
        return Error{Error::Kind::io, left.empty()
                                          ? form("{}; all is as before", why)
                                          : form("{}; these changes cannot be undone: {}", why, join(left, "; "))};
    }
    Words notes;
    for (const auto &upper : before_.uppers) { // a bond whose profile names its primary port
        const auto &all = move_->bindings();
        const auto is_moved = [&](const Binding &b) { return b.path == upper.device.profile; };
        if (std::none_of(all.begin(), all.end(), is_moved) || reapply(*daemon_, upper.device.path)) continue;
        notes.push_back(
            form("{}: profile '{}' takes effect at the next activation", upper.name(), printable(upper.device.id)));
    }
    return notes;
}

} // namespace nmib::cli
