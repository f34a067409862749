// SPDX-License-Identifier: LGPL-2.1-or-later
/// A profile while it is being written, and the words that change it.
#pragma once
#include "cli/base/gobject.hpp"
#include "cli/base/options.hpp"
#include "cli/row.hpp"

#include <map>
#include <set>

namespace nmib::cli
{

struct Draft {
    Object<NMConnection> connection;
    Surroundings around;
    bool may_remove = false;                  ///< `remove SETTING` is understood
    Words said;                               ///< lines nmcli prints on the way
    Words told;                               ///< lines of ours, for standard error
    std::map<std::string, std::string> typed; ///< "infiniband.p-key" to the last word given for it
    std::set<const Row *> asked_or_given;     ///< not to be asked for by --ask

    NMSettingConnection *base() const { return nm_connection_get_setting_connection(connection.get()); }
    NMSettingInfiniband *infiniband() const { return nm_connection_get_setting_infiniband(connection.get()); }
    const char *type() const { return nm_setting_connection_get_connection_type(base()); }
    const char *slave_type() const { return nm_setting_connection_get_slave_type(base()); }
    NMSetting *find(const Group &group) const
    {
        return nm_connection_get_setting_by_name(connection.get(), group.name);
    }
    void note(const Group &group, const Row &row, const char *value);
    /// Prints what was `said` and `told` until now. Nothing can be left to nmcli after that, which would say it again.
    void speak();
};

Draft new_draft();

/// Reads `property value` words to their end. After a failure `args` stands where nmcli's would: behind what was
/// understood.
std::optional<Failure> read_properties(Draft &draft, Args &args, Options &options);
/// Sets one property by its alias, as if it were typed.
std::optional<Failure> set_by_alias(Draft &draft, const Group &group, const Row &row, const char *value, bool reset);
/// The property that a port is asked for.
const Row &controller_row();
/// Adds the settings a profile of its type must have.
std::optional<Failure> ensure_settings(Draft &draft);

} // namespace nmib::cli
