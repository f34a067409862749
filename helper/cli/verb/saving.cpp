// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/verb/saving.hpp"

#include "cli/base/version.hpp"
#include "cli/verb/gateways.hpp"

#include <libintl.h>

namespace nmib::cli
{

namespace
{
void warn_of_namesakes(const Profiles &profiles, NMConnection *connection)
{
    const auto *id = nm_connection_get_id(connection);
    const auto *uuid = nm_connection_get_uuid(connection);
    const auto count = profiles.namesakes(id, uuid);
    if (count == 0) return;
    const char *text = dngettext("NetworkManager",
                                 "Warning: There is another connection with the name '%1$s'. Reference the connection "
                                 "by its uuid '%2$s'\n",
                                 "Warning: There are %3$u other connections with the name '%1$s'. Reference the "
                                 "connection by its uuid '%2$s'\n",
                                 count);
    g_printerr(text, id, uuid, count);
}

void warn_of_gateways(NMConnection *connection)
{
    const auto gateways = has_version(58) ? unreachable_gateways(connection) : Words{};
    if (gateways.empty()) return;
    const auto what = form(nm("the following gateways are not directly reachable from any configured address or route: "
                              "%s. NetworkManager currently adds on-link routes for them automatically, but this will "
                              "change in the future. Consider adding addresses or routes whose subnets cover these "
                              "gateways"),
                           join(gateways, ", ").c_str());
    complain("Warning: " + what + ".");
}
} // namespace

void warn_of_stored(const Profiles &profiles, NMConnection *connection)
{
    warn_of_namesakes(profiles, connection);
    warn_of_gateways(connection);
}

void tell_added(const Profiles &profiles, NMConnection *connection)
{
    warn_of_stored(profiles, connection);
    print(form(nm("Connection '%s' (%s) successfully added.\n"), nm_connection_get_id(connection),
               nm_connection_get_uuid(connection)));
}

Failure failed_to_add(NMConnection *connection, const Error &why)
{
    return {exit_add_failed,
            form(nm("Error: Failed to add '%s' connection: %s"), nm_connection_get_id(connection), why.what.c_str())};
}

} // namespace nmib::cli
