// SPDX-License-Identifier: GPL-2.0-or-later
#include "leftover.hpp"

#include "apply/plan/link.hpp"
#include "configuration.hpp"
#include "core/ib/ifname.hpp"
#include "core/plan/leftover.hpp"
#include "crash_marker.hpp"
#include "log.hpp"
#include "probe/plan/probe.hpp"
#include "probe/plan/state.hpp"

#include <algorithm>
#include <memory>

namespace nmib
{

namespace
{
constexpr const char *notes = "/run/NetworkManager/devices";

/// Seconds. NetworkManager queues an activation without a carrier for 6 s (nm-device.c), or longer if configured.
constexpr unsigned carrier_wait = 10;

bool is_allowed = false;

bool may_remove()
{
    const auto &now = configuration();
    return is_allowed && now.known && now.policy.plugin && now.policy.remove_leftovers;
}

/// A call of a function with a device that may be gone then.
struct Later {
    Later(void (*r)(Later &), NMDevice *d, int i, unsigned s) :
        run(r), ifindex(i), seconds(s), name(d ? NmDevice(d).name() : "")
    {
        g_weak_ref_init(&weak, d);
    }
    ~Later() { g_weak_ref_clear(&weak); }
    /// Returns the device, or null; holds a reference to the device.
    std::unique_ptr<NMDevice, void (*)(gpointer)> device()
    {
        return {static_cast<NMDevice *>(g_weak_ref_get(&weak)), g_object_unref};
    }

    void (*run)(Later &);
    int ifindex;
    unsigned seconds;
    std::string name;
    GWeakRef weak{};
};

/// Calls `run` once, from the main loop: after `seconds`, or at idle.
void once(void (*run)(Later &), int priority, NMDevice *device, int ifindex, unsigned seconds = 0)
{
    const GSourceFunc call = [](gpointer data) -> gboolean {
        enter("P_Key child", [&] {
            auto &later = *static_cast<Later *>(data);
            later.run(later);
        });
        return G_SOURCE_REMOVE;
    };
    const GDestroyNotify drop = [](gpointer data) { delete static_cast<Later *>(data); };
    auto *later = new Later(run, device, ifindex, seconds);
    if (seconds)
        g_timeout_add_seconds_full(priority, seconds, call, later, drop);
    else
        g_idle_add_full(priority, call, later, drop);
}

/// Returns true for an error other than "no such interface", and logs the error.
bool log_unless_gone(const Error &error)
{
    if (error.kind == Error::Kind::absent) return false;
    log(Severity::error, error.what);
    return true;
}

void delete_and_log(Rtnl &rtnl, int ifindex, const std::string &name, const std::string &why)
{
    const auto deleted = delete_child(rtnl, ifindex);
    if (deleted)
        log(Severity::note, name + ": P_Key child removed: " + why);
    else if (deleted.error().kind != Error::Kind::absent)
        log(Severity::error, name + ": P_Key child not removed: " + deleted.error().what);
}

/// Removes the child if it is left behind. Returns true if the caller should check again later.
/// @param device null if NetworkManager has no device any more; NetworkManager's note is then out of date
bool remove_if_left(const NmDevice *device, int ifindex, bool may_wait)
{
    auto rtnl = Rtnl::open();
    const auto link = rtnl.and_then([&](auto &r) { return r.link(ifindex); });
    if (!may_remove()) return false;
    if (!link) return log_unless_gone(link.error()) && may_wait;
    auto use = read_child_use(notes, *link);
    use.profile = use.profile && device;
    use.request = device && device->has_request();
    use.carrier = device && device->carrier();
    use.may_wait = may_wait;
    const auto verdict = leftover(use);
    const auto name = link->name ? link->name->str() : std::to_string(ifindex);
    if (verdict != Leftover::yes) {
        if (configuration().policy.debug) log(Severity::debug, name + ": not removed: " + reason(verdict));
        return verdict == Leftover::later;
    }
    delete_and_log(*rtnl, ifindex, name, "NetworkManager had left it behind");
    return false;
}

/// Skips an interface that NetworkManager has forgotten, for example after deleting it: the kernel may still be
/// deleting the interface, and must not delete it a second time.
void check(Later &later)
{
    const auto held = later.device();
    const NmDevice device(held.get());
    if (!held || device.ifindex() != later.ifindex) return;
    const bool is_first = later.seconds == 0;
    if (remove_if_left(&device, later.ifindex, is_first || device.is_pending()))
        once(check, G_PRIORITY_LOW, held.get(), later.ifindex, carrier_wait);
}

void after_unrealize(Later &later) { remove_if_left(nullptr, later.ifindex, false); }

/// The newest InfiniBand interface for which NetworkManager has a device. The kernel gives ascending numbers.
int newest_known = 0;

void note_known(Later &later)
{
    if (const auto device = later.device()) newest_known = std::max(newest_known, NmDevice(device.get()).ifindex());
}

void delete_misnamed(Later &later)
{
    if (!may_remove()) return;
    auto rtnl = Rtnl::open();
    const auto links = rtnl.and_then([&](auto &r) { return r.ipoib_links(); });
    if (!links) return log(Severity::error, links.error().what);
    for (const auto &child : *links) {
        const auto parent = std::find_if(links->begin(), links->end(),
                                         [&](const LinkRow &l) { return child.parent && l.ifindex == child.parent; });
        if (parent == links->end() || child.ifindex <= newest_known) continue;
        if (!child.name || !child.pkey || !parent->name) continue;
        if (!is_misnamed(*child.name, *parent->name, *child.pkey, later.name)) continue;
        delete_and_log(*rtnl, child.ifindex, child.name->str(), "NetworkManager did not find it");
    }
}

void delete_if_left(NMDevice *device, int ifindex) { once(check, G_PRIORITY_LOW, device, ifindex); }

/// Returns the parent's name in "<parent>.<key>", or the part that NetworkManager keeps of a long name.
std::string parent_of(const std::string &name)
{
    const auto dot = name.rfind('.');
    return dot == std::string::npos ? name : name.substr(0, dot);
}

void handle_unmade(NMDevice *device)
{
    const auto name = NmDevice(device).name(), parent = parent_of(name);
    if (parent.size() <= parent_name_limit) return;
    log(Severity::warning, name + ": NetworkManager cannot make this P_Key child: the name of its parent, " + parent +
                               ", has more than 10 characters. Use a shorter name");
    once(delete_misnamed, G_PRIORITY_HIGH, device, 0);
}
} // namespace

void allow_removal() noexcept { is_allowed = true; }

void check_for_leftovers(NMDevice *device, const Activation::Last &last, guint now, guint before, guint reason)
{
    if (!last.ifindex) return;
    if (now == abi::disconnected && before >= abi::prepare && !last.skipped) delete_if_left(device, last.ifindex);
    // The last step of nm_device_unrealize(): NetworkManager has deleted the interface, or believes so.
    const bool is_unrealized = now == abi::unmanaged && NmDevice(device).ifindex() == 0;
    if (last.limited_key && !last.skipped && reason == abi::user_requested && is_unrealized)
        once(after_unrealize, G_PRIORITY_HIGH, nullptr, last.ifindex);
}

void remember_device(NMDevice *device) { once(note_known, G_PRIORITY_DEFAULT_IDLE, device, 0); }

void activation_ended(NMDevice *device, const Activation::Last &last, guint reason)
{
    const NmDevice d(device);
    const int ifindex = d.ifindex();
    if (!ifindex) {
        const bool is_elsewhere = reason == abi::user_disconnected || reason == abi::connection_removed ||
                                  reason == abi::dependency_failed || reason == abi::device_removed;
        return is_elsewhere ? void() : handle_unmade(device);
    }
    const auto state = d.state();
    // A port that lost its carrier ends the activation of a child, too. NetworkManager activates it again.
    const bool returns = last.active && reason != abi::user_disconnected && reason != abi::connection_removed;
    if (state == abi::disconnected || (state == abi::unavailable && !returns)) delete_if_left(device, ifindex);
}

} // namespace nmib
