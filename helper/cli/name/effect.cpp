// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/name/effect.hpp"

#include "apply/link.hpp"
#include "cli/fabric/advice.hpp"
#include "cli/name/now.hpp"
#include "cli/name/world.hpp"
#include "core/printable.hpp"

#include <algorithm>

namespace nmib::cli
{

namespace
{
std::unique_ptr<Daemon> running_daemon()
{
    auto connected = Daemon::connect();
    auto *daemon = std::get_if<Daemon>(&connected);
    return daemon ? std::make_unique<Daemon>(std::move(*daemon)) : nullptr;
}

/// "'x' (connection.interface-name ib0)"
std::string text(const Binding &b)
{
    Words parts;
    for (const auto &edit : b.edits) parts.push_back(edit.property + " " + printable(edit.from));
    return form("'%s' (%s)", printable(b.id).c_str(), join(parts, ", ").c_str());
}
} // namespace

Effect::Effect(const PortIdentity &port, const IfName &name, const NameRequest &request) :
    port_(&port), name_(name), request_(&request), in_effect_(port.interface && port.interface->name == name)
{
}

Result<void> Effect::refuse_users(const Daemon &daemon) const
{
    if (request_->force) return {};
    const auto users = profiles_with_name(daemon, name_, port_->guid);
    if (!users) return users.error();
    for (const auto &u : *users)
        if (!u.may_be_for_port)
            return Error{Error::Kind::refused,
                         form(_("%s is the interface-name of the profile '%s' (%s, %s), which is not for %s; take "
                                "another name, or --force"),
                              printable(name_.view()).c_str(), printable(u.id).c_str(), printable(u.type).c_str(),
                              u.uuid.c_str(), label(*port_).c_str())};
    return {};
}

Result<Effect> Effect::of(const PortIdentity &port, const IfName &name, const NameRequest &request)
{
    Effect effect(port, name, request);
    effect.daemon_ = running_daemon();
    if (!effect.daemon_) {
        if (request.update_profiles)
            return bad(_("--update-profiles needs NetworkManager, which is not running. To start it: systemctl start "
                         "NetworkManager"));
        return effect;
    }
    if (const auto free = effect.refuse_users(*effect.daemon_); !free) return free.error();
    if (!port.interface || effect.in_effect_) return effect;
    auto move = ProfileMove::of(*effect.daemon_, port.interface->name, name);
    if (!move) return move.error();
    if (const auto hindrance = request.update_profiles ? move->hindrance() : std::nullopt)
        return Error{hindrance->kind,
                     form(_("%s; without --update-profiles all stay as they are"), hindrance->what.c_str())};
    effect.move_ = std::make_unique<ProfileMove>(std::move(*move));
    return effect;
}

Result<void> Effect::rename_now()
{
    auto rtnl = Rtnl::open();
    if (!rtnl) return rtnl.error();
    const auto bound = move_ ? std::optional(Bound{*move_, request_->update_profiles}) : std::nullopt;
    auto outcome = name_now(*rtnl, daemon_.get(), port_->interface->ifindex, name_, bound ? &*bound : nullptr);
    if (outcome.kind == NowOutcome::Kind::failed) return bad(std::move(outcome.why));
    in_effect_ = outcome.kind == NowOutcome::Kind::done;
    changes_ = in_effect_;
    moved_ = in_effect_ && move_ && request_->update_profiles;
    not_now_ = std::move(outcome.why);
    notes_ = std::move(outcome.notes);
    if (in_effect_ && request_->keep_old_name) // as udev does it from the next boot on
        if (const auto r = add_alternative_name(*rtnl, port_->interface->ifindex, port_->interface->name); !r)
            notes_.push_back(r.error().what);
    return {};
}

Result<void> Effect::make()
{
    if (request_->now && port_->interface && !in_effect_)
        if (auto r = rename_now(); !r) return r;
    if (!request_->update_profiles || !move_ || moved_ || move_->bindings().empty()) return {};
    if (auto r = move_->make(); !r) return r;
    changes_ = moved_ = true;
    return {};
}

void Effect::tell_bound() const
{
    if (!move_ || moved_) return;
    const auto old = printable(port_->interface->name.view());
    for (const auto &b : move_->bindings())
        note(request_->update_profiles
                 ? form(_("profile %s will follow to %s"), text(b).c_str(), printable(name_.view()).c_str())
                 : form(_("profile %s is bound to %s, and will not follow; --update-profiles moves it"),
                        text(b).c_str(), old.c_str()));
}

void Effect::tell() const
{
    if (!not_now_.empty()) note(form(_("not now: %s"), not_now_.c_str()));
    tell_bound();
    for (const auto &line : notes_) note(line);
    const auto back = move_ ? move_->to_go_back() : Words{};
    if (back.empty()) return;
    Words ids;
    for (const auto &b : move_->bindings()) ids.push_back("'" + printable(b.id) + "'");
    print(form(_("Profiles that follow: %s. To go back:\n"), join(ids, ", ").c_str()));
    for (const auto &line : back) print("  " + line + "\n");
}

void Effect::add_to(Json &report) const
{
    report["in_effect"] = in_effect_;
    if (!not_now_.empty()) report["not_now"] = not_now_;
    auto profiles = Json::array();
    for (const auto &b : move_ ? move_->bindings() : std::vector<Binding>{}) {
        auto edits = Json::array();
        for (const auto &e : b.edits) edits.push_back({{"property", e.property}, {"from", e.from}, {"to", e.to}});
        profiles.push_back({{"id", b.id}, {"uuid", b.uuid}, {"type", b.type}, {"moved", moved_}, {"edits", edits}});
    }
    report["profiles"] = std::move(profiles);
    report["to_go_back"] = move_ ? move_->to_go_back() : Words{};
}

} // namespace nmib::cli
