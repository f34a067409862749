// SPDX-License-Identifier: LGPL-2.1-or-later
/// The profiles that are bound to the name of an interface, and moving them to another name.
#pragma once
#include "cli/daemon/daemon.hpp"
#include "cli/name/edits.hpp"

namespace nmib::cli
{

struct Binding {
    std::string id, uuid, type;
    std::string path; ///< D-Bus object
    std::vector<Edit> edits;
    std::string hindrance; ///< why NetworkManager cannot store it changed; empty when it can
};

/// A profile that has a name as its interface-name.
struct NameUser {
    std::string id, uuid, type;
    bool may_be_for_port; ///< of type infiniband, and not another port's
};
/// An error when a profile cannot be read.
Result<std::vector<NameUser>> profiles_with_name(const Daemon &daemon, const IfName &name, const Guid &port);

/// All profiles that are bound to one name move to another, or none. The daemon must outlive it.
class ProfileMove
{
public:
    /// Looks at every profile. An error when one cannot be read: it may be bound.
    static Result<ProfileMove> of(const Daemon &daemon, const IfName &from, const IfName &to);

    const std::vector<Binding> &bindings() const noexcept { return bindings_; }
    /// One line for the first profile that cannot be moved.
    std::optional<Error> hindrance() const;

    /// Stores every profile with its edits. They are read again before, so that nothing is lost that was changed
    /// meanwhile. What fails, fails before the first is stored, or puts those back that were; the line says so.
    Result<void> make();
    /// Stores them as they were before `make`. One line for each that cannot be.
    Words take_back();
    /// What to type to have the profiles as they were before `make`, a line for each.
    Words to_go_back() const;

private:
    struct Stored {
        std::string id, uuid, path;
        Object<NMConnection> before, after;
        std::vector<Edit> edits;
    };
    ProfileMove(const Daemon &daemon, const IfName &from, const IfName &to) : daemon_(&daemon), from_(from), to_(to) {}
    Error cannot_move(const Binding &binding) const;
    Result<Stored> prepare(const Binding &binding) const;

    const Daemon *daemon_;
    IfName from_, to_;
    std::vector<Binding> bindings_{};
    std::vector<Stored> stored_{}; ///< in the order they were stored
};

} // namespace nmib::cli
