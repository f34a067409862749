// SPDX-License-Identifier: GPL-2.0-or-later
#include "leftover.hpp"

#include "apply/link.hpp"
#include "core/naming.hpp"
#include "crash_marker.hpp"
#include "log.hpp"
#include "policy.hpp"
#include "probe/probe.hpp"
#include "probe/state.hpp"

#include <algorithm>
#include <memory>
#include <set>

namespace nmib
{

namespace
{
constexpr const char *notes = "/run/NetworkManager/devices";

/// Seconds. An activation that is queued until the carrier is there has 6 of them (nm-device.c), unless NetworkManager
/// is configured to wait longer.
constexpr unsigned carrier_wait = 10;

/// `in_use_counts`: a profile named in the note means the child is in use.
void delete_child_if_ours(int ifindex, bool in_use_counts)
{
    const auto devices = Dir::open(notes);
    const auto note = devices ? read_device_note(*devices, ifindex) : std::nullopt;
    if (!note || !note->nm_owned || (in_use_counts ? note->keeps() : note->taken)) return;
    auto rtnl = Rtnl::open();
    const auto link = rtnl ? rtnl->link(ifindex) : Result<LinkRow>(rtnl.error());
    if (!link || !link->infiniband || !link->parent || !current_policy().remove_leftovers) return;
    const auto name = link->name ? link->name->str() : std::to_string(ifindex);
    if (const auto gone = delete_child(*rtnl, ifindex))
        log(Finding::Severity::info, name + ": P_Key child removed, NetworkManager had left it behind");
    else if (gone.error().kind != Error::Kind::absent)
        log(Finding::Severity::error, name + ": P_Key child not removed: " + gone.error().what);
}

struct Later {
    GWeakRef device{};
    int ifindex = 0;
    explicit Later(NMDevice *d, int i) : ifindex(i) { g_weak_ref_init(&device, d); }
    ~Later() { g_weak_ref_clear(&device); }
};

/// Runs `what` with a Later once, from the main loop: in so many seconds, or when there is nothing more urgent.
template<auto what> void once(int priority, NMDevice *device, int ifindex, unsigned seconds = 0)
{
    const GSourceFunc run = [](gpointer data) -> gboolean {
        const CrashMarker::Inside inside;
        fenced("P_Key child", [&] { what(*static_cast<Later *>(data)); });
        return G_SOURCE_REMOVE;
    };
    const GDestroyNotify drop = [](gpointer data) { delete static_cast<Later *>(data); };
    auto *later = new Later(device, ifindex);
    if (seconds)
        g_timeout_add_seconds_full(priority, seconds, run, later, drop);
    else
        g_idle_add_full(priority, run, later, drop);
}

using Held = std::unique_ptr<void, void (*)(gpointer)>;
/// The device, if it is the same interface still and nothing is active on it. NetworkManager forgets the interface of
/// one that it has deleted; the kernel may still be at it then, and must not be told to delete it a second time.
Held idle_device(Later &later)
{
    Held held(g_weak_ref_get(&later.device), g_object_unref);
    if (!held) return held;
    const Device device(static_cast<NMDevice *>(held.get()));
    if (device.ifindex() != later.ifindex || device.has_request()) held.reset();
    return held;
}

void look_after_wait(Later &later);

/// Now, or when an activation can no longer be waiting for the carrier.
void delete_or_wait(Later &later, bool (*may_wait)(const Device &))
{
    const auto held = idle_device(later);
    if (!held) return;
    auto *device = static_cast<NMDevice *>(held.get());
    if (!Device(device).carrier() && may_wait(Device(device)))
        once<look_after_wait>(G_PRIORITY_LOW, device, later.ifindex, carrier_wait);
    else
        delete_child_if_ours(later.ifindex, true);
}

void look_after_wait(Later &later)
{
    delete_or_wait(later, [](const Device &d) { return d.is_pending(); });
}
void after_deactivation(Later &later)
{
    delete_or_wait(later, [](const Device &) { return true; });
}

void after_unrealize(Later &later) { delete_child_if_ours(later.ifindex, false); }

/// The interfaces NetworkManager has devices for, as far as they came from the kernel; numbers are not used twice.
std::set<int> &known()
{
    static std::set<int> ifindexes;
    return ifindexes;
}

/// Is that the name the kernel makes of a parent's name that is too long for NetworkManager?
bool misnamed(const LinkRow &child, const LinkRow &parent)
{
    if (!child.name || !child.pkey || !parent.name || parent.name->size() <= parent_name_limit) return false;
    const auto key = child.pkey->value();
    return kernel_child_name(*parent.name, key) == child.name ||
           kernel_child_name(*parent.name, key & 0x7fff) == child.name;
}

void note_known(Later &later)
{
    const std::unique_ptr<void, void (*)(gpointer)> device(g_weak_ref_get(&later.device), g_object_unref);
    if (!device) return;
    if (const int ifindex = Device(static_cast<NMDevice *>(device.get())).ifindex()) known().insert(ifindex);
}

void delete_misnamed(Later &)
{
    if (!current_policy().remove_leftovers) return;
    auto rtnl = Rtnl::open();
    const auto links = rtnl ? rtnl->ipoib_links() : Result<std::vector<LinkRow>>(rtnl.error());
    if (!links) return;
    for (const auto &child : *links) {
        const auto parent = std::find_if(links->begin(), links->end(),
                                         [&](const LinkRow &l) { return child.parent && l.ifindex == child.parent; });
        if (parent == links->end() || known().contains(child.ifindex) || !misnamed(child, *parent)) continue;
        if (const auto gone = delete_child(*rtnl, child.ifindex); gone)
            log(Finding::Severity::info, child.name->str() + ": P_Key child removed, NetworkManager did not find it");
    }
}

/// The parent's name in "<parent>.<key>", or what NetworkManager 1.44 and later leave of it.
std::string parent_of(const std::string &name)
{
    const auto dot = name.rfind('.');
    return dot == std::string::npos ? name : name.substr(0, dot);
}
} // namespace

void delete_if_left(NMDevice *device, int ifindex) { once<after_deactivation>(G_PRIORITY_LOW, device, ifindex); }
void delete_if_left_now(int ifindex) { once<after_unrealize>(G_PRIORITY_HIGH, nullptr, ifindex); }

void seen(NMDevice *device) { once<note_known>(G_PRIORITY_DEFAULT_IDLE, device, 0); }
void gone(int ifindex) { known().erase(ifindex); }

void delete_if_misnamed(NMDevice *device)
{
    const Device d(device);
    const auto parent = parent_of(d.name());
    if (d.ifindex() || parent.size() <= parent_name_limit) return;
    log(Finding::Severity::warning, d.name() +
                                        ": NetworkManager cannot make this P_Key child: the name of its parent, " +
                                        parent + ", has more than 10 characters. Use a shorter name");
    once<delete_misnamed>(G_PRIORITY_HIGH, nullptr, 0);
}

} // namespace nmib
