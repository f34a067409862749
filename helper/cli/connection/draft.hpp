// SPDX-License-Identifier: LGPL-2.1-or-later
/// An InfiniBand profile before it is saved, and the words it was made or changed with.
#pragma once
#include "cli/base/gobject.hpp"
#include "cli/nmcli/property_words.hpp"
#include "core/rdma/words.hpp"

#include <NetworkManager.h>

namespace nmib::cli
{

struct Draft {
    Object<NMConnection> connection;
    PropertyWords typed;
    bool offline;
    std::optional<RdmaValues> rdma{}; ///< the words that the profile has to have, where some were typed

    NMSettingConnection *base() const { return nm_connection_get_setting_connection(connection.get()); }
    NMSettingInfiniband *infiniband() const { return nm_connection_get_setting_infiniband(connection.get()); }
    const char *interface_name() const { return nm_setting_connection_get_interface_name(base()); }
};

} // namespace nmib::cli
