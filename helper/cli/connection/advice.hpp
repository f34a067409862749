// SPDX-License-Identifier: LGPL-2.1-or-later
/// What nm-ib knows about InfiniBand and nmcli does not say.
#pragma once
#include "cli/base/gobject.hpp"
#include "cli/daemon/profiles.hpp"
#include "cli/nmcli/property_words.hpp"
#include "core/rdma/words.hpp"

#include <NetworkManager.h>

namespace nmib::cli
{

// An InfiniBand profile before it is saved, and the words it was made or changed with.

struct Draft {
    Object<NMConnection> connection;
    PropertyWords typed;
    bool offline;
    std::optional<RdmaValues> rdma{}; ///< the words that the profile has to have, where some were typed

    NMSettingConnection *base() const { return nm_connection_get_setting_connection(connection.get()); }
    NMSettingInfiniband *infiniband() const { return nm_connection_get_setting_infiniband(connection.get()); }
    const char *interface_name() const { return nm_setting_connection_get_interface_name(base()); }
};

struct Advice {
    Words warnings{}; ///< what will not go as the profile says
    Words notes{};    ///< what quirks do anyway
};

/// Nothing is changed. Offline there are no `profiles`.
Advice advise(const Draft &draft, const Profiles *profiles, const Options &options);

/// Prints it as ours, on standard error; with `strict` the warnings are the failure.
std::optional<Failure> tell(const Advice &advice, bool strict);

} // namespace nmib::cli
