// SPDX-License-Identifier: LGPL-2.1-or-later
/// Applies a new name to the running machine: to the profiles that are bound to the old name, and to the interface.
#pragma once
#include "core/name/port_name.hpp"
#include "terminal/json_fwd.hpp"
#include "verbs/name/rename.hpp"
#include "verbs/name/request.hpp"

#include <memory>

namespace nmib::cli
{

/// Returns the profiles that are bound to a name, as "'x' (connection.interface-name ib0)". None, with a note, if
/// NetworkManager does not run.
Result<Words> bound_profiles(const IfName &name);

class NameChange
{
public:
    /// Changes nothing. An Error if a profile that is not for this port has the name, or if --now is not safe.
    static Result<NameChange> of(const PortIdentity &port, const IfName &name, const NameRequest &request);

    /// Call after the files are written. With --now, renames the interface and its profiles. After an Error all is as
    /// before, or the Error lists the changes that remain.
    Result<void> make();

    bool in_effect() const noexcept { return in_effect_; }
    bool changes() const noexcept { return changes_; }
    /// Prints the result, and the commands to go back.
    void report() const;
    void print_bound() const;
    /// Adds "in_effect", "profiles" and "to_go_back".
    void add_to(Json &report) const;
    /// Returns commands, one a line; empty if nothing was renamed.
    Words to_go_back() const;

private:
    NameChange(const PortIdentity &port, const IfName &name, const NameRequest &request);
    Result<void> refuse_users(const Daemon &daemon) const;

    const PortIdentity *port_;
    IfName name_;
    const NameRequest *request_;
    std::unique_ptr<Daemon> daemon_{}; ///< null: NetworkManager does not run
    std::unique_ptr<ProfileMove> move_{};
    std::unique_ptr<PortRename> rename_{}; ///< with --now
    bool in_effect_, changes_ = false;
    Words notes_{};
};

} // namespace nmib::cli
