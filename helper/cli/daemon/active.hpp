// SPDX-License-Identifier: LGPL-2.1-or-later
/// What is running of a profile: GENERAL, IP4, DHCP4, IP6 and DHCP6 of `connection show`.
#pragma once
#include "cli/base/options.hpp"
#include "cli/daemon/properties.hpp"

#include <span>

namespace nmib::cli
{

struct ActiveConnection {
    std::string path;
    Properties properties;
};

/// One value of an active connection, several of a kind, or one that is only shown where there is one.
using ActiveValue = std::variant<std::monostate, std::string, Words>;
struct ActiveSource {
    const Daemon &daemon;
    const ActiveConnection &active;
    NMConnection *profile;
    bool parsable;
};

/// A section of the output.
struct ActiveGroup {
    const char *name;
    std::span<const char *const> all_fields; ///< without any it cannot be asked for by name
    /// One value for each of these, in their order; nothing when the connection has no such section.
    std::optional<std::vector<ActiveValue>> (*read)(const ActiveSource &);

    /// Those that this machine's nmcli has.
    std::vector<const char *> fields() const;
};
/// Does it have a field of this name?
bool is_field(std::string_view name);
/// In nmcli's order.
std::span<const ActiveGroup> active_groups();

/// A section, or one field of it.
struct ActiveField {
    const ActiveGroup *group;
    const char *name = nullptr; ///< null: all
};

/// Everything that is active, asked for once.
class Actives
{
public:
    explicit Actives(const Daemon &daemon) : daemon_(&daemon) {}
    /// It is going to be needed: the question goes with the next.
    void ask();
    /// Object paths.
    const Words &paths();
    /// What is active of a profile, in nmcli's order.
    std::vector<ActiveConnection> of(const std::string &profile);

private:
    const Daemon *daemon_;
    std::optional<Bus::Ticket> asked_{};
    std::optional<Words> paths_{};
};
std::optional<ActiveConnection> read_active(const Daemon &daemon, const std::string &path);
/// The UUID of the profile that is active on an interface, or on its way there.
std::optional<std::string> active_profile(const Daemon &daemon, const std::string &interface);

std::string show_active(const Options &options, const ActiveSource &source, std::span<const ActiveField> fields);

} // namespace nmib::cli
