// SPDX-License-Identifier: LGPL-2.1-or-later
#include "verbs/connection/save.hpp"

#include "nm/profile.hpp"
#include "terminal/glib.hpp"
#include "verbs/connection/follow.hpp"

#include <libintl.h>

namespace nmib::cli
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

void print_added(const Profiles &profiles, NMConnection *connection)
{
    warn_of_namesakes(profiles, connection);
    print(nm_form(nm("Connection '%s' (%s) successfully added.\n"), nm_connection_get_id(connection),
                  nm_connection_get_uuid(connection)));
}

void warn_of_version(const Daemon &daemon)
{
    if (nm_utils_version() < NM_ENCODE_VERSION(1, 44, 0)) return;
    const auto theirs = daemon.version();
    const auto n = nm_utils_version();
    const auto numbers = message(untranslated, "{}.{}.{}", n >> 16, n >> 8 & 0xff, n & 0xff);
    if (theirs != numbers) // both without the distribution's suffix ("-3.el9_6")
        complain(
            std::string(trim(nm_form(nm("Warning: nmcli (%s) and NetworkManager (%s) versions don't match. Restarting "
                                        "NetworkManager is advised.\n"),
                                     numbers.c_str(), theirs.c_str()))));
}

Status add_profile(const Profiles &profiles, NMConnection *c, bool save)
{
    if (const auto path = profiles.daemon().add(c, save); !path)
        return Failure{exit_add_failed, nm_form(nm("Error: Failed to add '%s' connection: %s"), nm_connection_get_id(c),
                                                path.error().what.c_str())};
    return {};
}

Status store_with_parent(const Draft &draft, const Profiles &profiles, const Options &options, bool save,
                         const std::function<Status()> &store)
{
    // `store` refuses an invalid profile, before a parent is added.
    if (!options.with_parent || !normalized(draft.connection.get()) || has_parent_profile(draft, profiles))
        return store();
    const auto parent = parent_profile(draft, profiles);
    if (!parent) return parent.error();
    if (auto done = add_profile(profiles, parent->get(), save); !done) return done;
    if (auto done = store(); !done) {
        if (const auto path = profiles.daemon().path_of(nm_connection_get_uuid(parent->get())))
            (void)profiles.daemon().remove(*path);
        return done;
    }
    print_added(profiles, parent->get());
    return {};
}

} // namespace nmib::cli
