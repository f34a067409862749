// SPDX-License-Identifier: LGPL-2.1-or-later
#include "verbs/name/apply_name.hpp"

#include "core/base/text.hpp"
#include "terminal/json.hpp"
#include "verbs/host/rails.hpp"
#include "verbs/name/name_files.hpp"

namespace nmib::cli
{

namespace
{
std::unique_ptr<Daemon> running_daemon()
{
    auto connected = Daemon::connect();
    auto *daemon = connected ? &*connected : nullptr;
    return daemon ? std::make_unique<Daemon>(std::move(*daemon)) : nullptr;
}

std::string profiles_unseen() { return _("NetworkManager is not running: profiles with this name were not checked"); }

/// "'x' (connection.interface-name ib0)"
std::string text(const Binding &b)
{
    Words parts;
    for (const auto &edit : b.edits) parts.push_back(edit.property + " " + printable(edit.from));
    return message(untranslated, "'{}' ({})", printable(b.id), join(parts, ", "));
}
} // namespace

Result<Words> bound_profiles(const IfName &name)
{
    const auto daemon = running_daemon();
    if (!daemon) note(profiles_unseen());
    if (!daemon) return Words{};
    const auto move = ProfileMove::of(*daemon, name, *IfName::parse("ib0")); // any other name: the next name is unknown
    if (!move) return move.error();
    Words all;
    for (const auto &b : move->bindings()) all.push_back(text(b));
    return all;
}

NameChange::NameChange(const PortIdentity &port, const IfName &name, const NameRequest &request) :
    port_(&port), name_(name), request_(&request), in_effect_(port.interface && port.interface->name == name)
{
}

Result<void> NameChange::refuse_users(const Daemon &daemon) const
{
    if (request_->force) return {};
    const auto users = profiles_with_name(daemon, name_, port_->guid);
    if (!users) return users.error();
    for (const auto &u : *users)
        if (!u.may_be_for_port)
            return Error{Error::Kind::refused,
                         form("{} is the interface-name of the profile '{}' ({}, {}), which is not for {}; use another "
                              "name; --force overrides this",
                              printable(name_.view()), printable(u.id), printable(u.type), u.uuid, label(*port_))};
    return {};
}

Result<NameChange> NameChange::of(const PortIdentity &port, const IfName &name, const NameRequest &request)
{
    NameChange change(port, name, request);
    change.daemon_ = running_daemon();
    const bool renames = port.interface && !change.in_effect_;
    if (!change.daemon_) {
        if (renames && request.now)
            return bad(_("--now: NetworkManager is not running; without --now the name holds from the next boot on"));
        return change;
    }
    if (const auto free = change.refuse_users(*change.daemon_); !free) return free.error();
    if (!renames) return change;
    auto move = ProfileMove::of(*change.daemon_, port.interface->name, name);
    if (!move) return move.error();
    change.move_ = std::make_unique<ProfileMove>(std::move(*move));
    if (!request.now) return change;
    auto rename = PortRename::of(*change.daemon_, port.interface->ifindex, name, *change.move_, request.print.wait);
    if (!rename) return rename.error();
    change.rename_ = std::make_unique<PortRename>(std::move(*rename));
    return change;
}

Result<void> NameChange::make()
{
    if (!rename_) return {};
    auto notes = rename_->run();
    if (!notes) return notes.error();
    notes_ = std::move(*notes);
    in_effect_ = changes_ = true;
    return {};
}

void NameChange::print_bound() const
{
    if (!daemon_ && port_->interface && !in_effect_) note(profiles_unseen());
    if (!move_ || in_effect_) return;
    const auto old = printable(port_->interface->name.view()), name = printable(name_.view());
    for (const auto &b : move_->bindings())
        note(rename_ ? form("profile {} will be changed to {}", text(b), name)
                     : form("warning: profile {} is bound to {}, and will not find the port at the next boot\n"
                            "To rename both now:\n"
                            "  nm-ib name set {} {}{} --now",
                            text(b), old, old, name,
                            !request_->rdma           ? ""
                            : request_->rdma->empty() ? " --rdma"
                                                      : " --rdma " + printable(*request_->rdma)));
}

void NameChange::report() const
{
    print_bound();
    for (const auto &line : notes_) note(line);
    Words rails, names; // of the port and its P_Key children, before and after
    if (port_->interface && port_->interface->name != name_)
        for (const auto &rail : written_rails())
            if (const auto name = follow_name(rail.interface.view(), port_->interface->name, name_);
                name && (names.empty() || names.back() != name->view())) {
                rails.push_back(rail.interface.str());
                names.push_back(name->str());
            }
    if (!rails.empty())
        note(form("The settings of these rails do not follow the new name: {}\n"
                  "To change the settings, as soon as the port is called {}:\n"
                  "  nm-ib host rails {}",
                  join(rails, ", "), name_.str(), join(names, " ")));
    const auto back = to_go_back();
    if (back.empty()) return;
    Words ids;
    for (const auto &b : move_->bindings()) ids.push_back("'" + printable(b.id) + "'");
    if (!ids.empty()) print(form("Profiles changed to the new name: {}\n", join(ids, ", ")));
    print(back.size() == 1 && back.front().ends_with(" --now") ? _("To go back:\n")
                                                               : _("To go back, with a reboot:\n"));
    for (const auto &line : back) print("  " + line + "\n");
}

Words NameChange::to_go_back() const
{
    if (!move_ || !changes_) return {};
    const auto old = port_->interface->name.str();
    if (!fault(old)) return {"nm-ib name set " + name_.str() + " " + old + " --now"};
    auto lines = move_->to_go_back();
    lines.insert(lines.begin(), "nm-ib name unset " + name_.str());
    return lines;
}

void NameChange::add_to(Json &report) const
{
    report["in_effect"] = in_effect_;
    auto profiles = Json::array();
    for (const auto &b : move_ ? move_->bindings() : std::vector<Binding>{}) {
        auto edits = Json::array();
        for (const auto &e : b.edits) edits.push_back({{"property", e.property}, {"from", e.from}, {"to", e.to}});
        profiles.push_back({{"id", b.id}, {"uuid", b.uuid}, {"type", b.type}, {"moved", changes_}, {"edits", edits}});
    }
    report["profiles"] = std::move(profiles);
    report["to_go_back"] = to_go_back();
}

} // namespace nmib::cli
