// SPDX-License-Identifier: LGPL-2.1-or-later
/// What a new name means to the running machine: profiles that are bound to the old one, and the interface itself.
#pragma once
#include "cli/base/json.hpp"
#include "cli/name/bindings.hpp"
#include "cli/name/request.hpp"
#include "core/link_file/port_identity.hpp"

#include <memory>

namespace nmib::cli
{

class Effect
{
public:
    /// Before anything is written. An Error where a profile has the name and is not for this port, or where profiles
    /// are to be moved and cannot be.
    static Result<Effect> of(const PortIdentity &port, const IfName &name, const NameRequest &request);

    /// Once the files are written: moves the profiles, and the interface, as far as the request asks for it. After an
    /// Error all is as before, or its line says what is not.
    Result<void> make();

    bool in_effect() const noexcept { return in_effect_; }
    bool changes() const noexcept { return changes_; }
    /// For people: what was done, and what to type to go back.
    void tell() const;
    /// What will be done, before anything is, for --dry-run.
    void tell_bound() const;
    /// "in_effect", "profiles", "to_go_back" and "not_now", the reason where --now was not safe.
    void add_to(Json &report) const;

private:
    Effect(const PortIdentity &port, const IfName &name, const NameRequest &request);
    Result<void> refuse_users(const Daemon &daemon) const;
    Result<void> rename_now();

    const PortIdentity *port_;
    IfName name_;
    const NameRequest *request_;
    std::unique_ptr<Daemon> daemon_{}; ///< none: NetworkManager is not running
    std::unique_ptr<ProfileMove> move_{};
    bool in_effect_, changes_ = false, moved_ = false;
    std::string not_now_{};
    Words notes_{};
};

} // namespace nmib::cli
