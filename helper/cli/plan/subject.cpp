// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/plan/subject.hpp"

#include "cli/daemon/profiles.hpp"
#include "cli/port/inventory.hpp"
#include "core/base/printable.hpp"

namespace nmib::cli
{

namespace
{
/// The interface of this name, or the port's own interface where the word names a port.
Result<Forecast> forecast_interface(Machine &machine, const std::string &what)
{
    const auto name = IfName::parse(what);
    auto f = name ? machine.forecast(*name) : Result<Forecast>(Error{Error::Kind::absent, {}});
    if (f || f.error().kind != Error::Kind::absent) return f;
    const auto inventory = take_inventory(false, what);
    for (const auto &device : inventory ? inventory->devices : std::vector<RdmaDevice>{})
        for (const auto &port : device.ports)
            if (!port.interfaces.empty()) return machine.forecast(port.interfaces.front().name);
    return f;
}

Error no_profile_without_daemon(const std::string &what)
{
    return bad(
        form(_("%s: no InfiniBand interface, and for a profile NetworkManager has to run"), printable(what).c_str()));
}

Result<Object<NMConnection>> profile_named(const Daemon &daemon, const std::string &what)
{
    const auto found = Profiles(daemon).find({}, what);
    if (!found.empty()) return daemon.profile(found.front().path);
    return Error{Error::Kind::absent,
                 form(_("%s: neither an InfiniBand interface nor a profile"), printable(what).c_str())};
}

/// Whether a profile for any interface with the port's GUID is on one of the port's children.
bool is_on_child(const Forecast &port, const Result<Forecast> &there)
{
    const auto &intent = port.profile.intent;
    const auto *link = there && intent.anywhere ? there->facts.find(there->profile.intent.ifindex) : nullptr;
    return link && link->parent && link->parent == intent.ifindex;
}

Result<Forecast> forecast_profile(Machine &machine, const std::string &what)
{
    const auto *daemon = std::get_if<Daemon>(&machine.daemon());
    if (!daemon) return no_profile_without_daemon(what);
    const auto connection = profile_named(*daemon, what);
    if (!connection) return connection.error();
    if (!nm_connection_is_type(connection->get(), "infiniband"))
        return bad(form(_("profile '%s' is not of type infiniband"), printable(what).c_str()));
    auto f = machine.forecast(connection->get());
    if (f ? f->imagined : f.error().kind != Error::Kind::absent) return f;
    if (const auto where = machine.interface_with(str(nm_connection_get_uuid(connection->get())))) {
        auto there = machine.forecast(*where);
        if (!f || *where == f->link || is_on_child(*f, there)) return there;
    }
    if (f) return f;
    return Error{Error::Kind::absent, form(_("profile '%s': its interface is not there"), printable(what).c_str())};
}
} // namespace

Result<Forecast> forecast_of(Machine &machine, const std::string &what)
{
    auto interface = forecast_interface(machine, what);
    if (interface && !interface->profile.uuid.empty()) return interface;
    auto profile = forecast_profile(machine, what);
    return profile || (!interface && interface.error().kind == Error::Kind::absent) ? profile : interface;
}

Result<Forecast> forecast_active(Machine &machine, const std::string &what)
{
    auto interface = forecast_interface(machine, what);
    const auto *daemon = std::get_if<Daemon>(&machine.daemon());
    if (interface || interface.error().kind != Error::Kind::absent) return interface;
    if (!daemon) return no_profile_without_daemon(what);
    const auto profile = profile_named(*daemon, what);
    if (!profile) return profile.error();
    if (const auto where = machine.interface_with(str(nm_connection_get_uuid(profile->get()))))
        return machine.forecast(*where);
    return Error{Error::Kind::absent,
                 form(_("profile '%s' is active on no InfiniBand interface"), printable(what).c_str())};
}

} // namespace nmib::cli
