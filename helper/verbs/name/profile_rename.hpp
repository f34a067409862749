// SPDX-License-Identifier: LGPL-2.1-or-later
/// Renames an interface in the profiles that name it.
#pragma once
#include "core/ib/hwaddr.hpp"
#include "core/ib/ifname.hpp"
#include "nm/profile_change.hpp"

namespace nmib::cli
{

/// A changed property, with values in nmcli's form.
struct Edit {
    std::string property; ///< "infiniband.parent"
    std::string from;
    std::string to; ///< empty: unset
    friend bool operator==(const Edit &, const Edit &) = default;
};

/// Returns the new name of the interface, or of a P_Key child named after it; nullopt for another interface.
std::optional<IfName> follow_name(std::string_view name, const IfName &from, const IfName &to);

/// Renames an interface, and P_Key children named after it, in one profile: connection.interface-name, every property
/// `parent`, match.interface-name, and the bond options `primary` and `active_slave`. If the new name is longer than
/// `parent_name_limit`, unsets the interface-name of a P_Key profile: NetworkManager computes that name. Returns the
/// edits, interface-name first; none if the profile does not name the interface.
std::vector<Edit> follow_name(NMConnection *profile, const IfName &from, const IfName &to);

/// Returns the nmcli command that undoes the edits of one profile.
std::string line_to_undo(const std::string &uuid, const std::vector<Edit> &edits);

/// Returns true if a profile with the port's name may be for the port: infiniband, no P_Key, no other port's address.
bool may_be_for_port(NMConnection *profile, const Guid &port);

/// A profile that is bound to the old name.
struct Binding {
    std::string id, uuid, type;
    std::string path; ///< D-Bus object
    std::vector<Edit> edits;
    std::string hindrance; ///< why NetworkManager cannot store the edits; empty if it can
};

/// A profile with the name as its interface-name.
struct NameUser {
    std::string id, uuid, type;
    bool may_be_for_port;
};
/// An Error if a profile cannot be read.
Result<std::vector<NameUser>> profiles_with_name(const Daemon &daemon, const IfName &name, const Guid &port);

/// Moves all profiles that are bound to one name to another name: all, or none. The daemon must outlive this object.
class ProfileMove
{
public:
    /// Reads every profile. An Error if a profile cannot be read: the profile may be bound.
    static Result<ProfileMove> of(const Daemon &daemon, const IfName &from, const IfName &to);

    const std::vector<Binding> &bindings() const noexcept { return bindings_; }
    /// Returns the Error for the first profile that cannot be moved.
    Result<void> check() const;

    /// Stores every profile with its edits. Reads the profiles again first, to keep changes made meanwhile. After an
    /// Error all profiles are as before, or the Error lists those that are not.
    Result<void> make();
    /// Restores the profiles as before make(). Returns a line for each profile that cannot be restored.
    Words take_back();
    /// Returns the commands that undo make(), one for each profile.
    Words to_go_back() const;

private:
    ProfileMove(const Daemon &daemon, const IfName &from, const IfName &to) : daemon_(&daemon), from_(from), to_(to) {}
    Error cannot_move(const Binding &binding) const;
    Result<ProfileChange> prepare(const Binding &binding) const;

    const Daemon *daemon_;
    IfName from_, to_;
    std::vector<Binding> bindings_{};
    std::vector<ProfileChange> stored_{}; ///< in storing order
};

} // namespace nmib::cli
