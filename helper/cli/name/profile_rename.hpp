// SPDX-License-Identifier: LGPL-2.1-or-later
/// What in a profile names an interface, and what becomes of it when the interface gets another name.
#pragma once
#include "cli/daemon/daemon.hpp"
#include "core/ib/hwaddr.hpp"
#include "core/ib/ifname.hpp"

namespace nmib::cli
{

/// One property, with its values as nmcli takes them.
struct Edit {
    std::string property; ///< "infiniband.parent"
    std::string from;
    std::string to; ///< empty: the property is unset
    friend bool operator==(const Edit &, const Edit &) = default;
};

/// The new name of the interface, or of a P_Key child that is named after it; nothing for any other.
std::optional<IfName> follow_name(std::string_view name, const IfName &from, const IfName &to);

/// Makes a profile follow an interface, and the P_Key children that are named after it, from one name to another:
/// connection.interface-name, every property called `parent`, match.interface-name, and the bond options `primary` and
/// `active_slave`. The interface-name of a P_Key profile goes where the new name is longer than `parent_name_limit`;
/// NetworkManager computes it then. Returns what was changed, interface-name first; nothing when the profile does not
/// name the interface.
std::vector<Edit> follow_name(NMConnection *profile, const IfName &from, const IfName &to);

/// What to type to undo the edits of one profile.
std::string line_to_undo(const std::string &uuid, const std::vector<Edit> &edits);

/// Whether a profile that has the name as its interface-name can be meant for this port: one of type infiniband,
/// without a P_Key, and without another port's address.
bool may_be_for_port(NMConnection *profile, const Guid &port);

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
