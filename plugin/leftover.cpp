// SPDX-License-Identifier: GPL-2.0-or-later
#include "leftover.hpp"

#include "apply/link.hpp"
#include "core/naming.hpp"
#include "guard.hpp"
#include "log.hpp"
#include "policy.hpp"
#include "probe/probe.hpp"
#include "probe/state.hpp"

#include <memory>

namespace nmib
{

namespace
{
constexpr const char *notes = "/run/NetworkManager/devices";

/// `in_use_counts`: a profile named in the note means the child is in use.
void delete_child_if_ours(int ifindex, bool in_use_counts)
{
    const auto devices = Dir::open(notes);
    const auto note = devices ? read_device_note(*devices, ifindex) : std::nullopt;
    if (!note || !note->nm_owned || (in_use_counts && !note->profile_uuid.empty())) return;
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

/// Runs `what` with a Later once, from the main loop.
template<auto what> void once(int priority, NMDevice *device, int ifindex)
{
    const GSourceFunc run = [](gpointer data) -> gboolean {
        const Guard::Inside inside;
        fenced("P_Key child", [&] { what(*static_cast<Later *>(data)); });
        return G_SOURCE_REMOVE;
    };
    g_idle_add_full(priority, run, new Later(device, ifindex),
                    [](gpointer data) { delete static_cast<Later *>(data); });
}

void after_deactivation(Later &later)
{
    const std::unique_ptr<void, void (*)(gpointer)> device(g_weak_ref_get(&later.device), g_object_unref);
    if (device && Device(static_cast<NMDevice *>(device.get())).has_request()) return;
    delete_child_if_ours(later.ifindex, true);
}

void after_unrealize(Later &later) { delete_child_if_ours(later.ifindex, false); }

/// Before the kernel is asked: what NetworkManager wants to make, under a name that no interface can have.
void report_name_to_be(const std::string &name)
{
    const auto dot = name.rfind('.');
    if (dot == std::string::npos || dot <= parent_name_limit || name.size() <= IfName::max_length) return;
    log(Finding::Severity::warning, name + ": NetworkManager cannot make this P_Key child: the name of its parent, " +
                                        name.substr(0, dot) + ", has more than 10 characters. Use a shorter name");
}

void cut_name(Later &later)
{
    const std::unique_ptr<void, void (*)(gpointer)> device(g_weak_ref_get(&later.device), g_object_unref);
    if (!device) return;
    const Device d(static_cast<NMDevice *>(device.get()));
    const int ifindex = d.ifindex();
    if (!ifindex) return report_name_to_be(d.name());
    auto rtnl = Rtnl::open();
    const auto child = rtnl ? rtnl->link(ifindex) : Result<LinkRow>(rtnl.error());
    if (!child || !child->infiniband || !child->parent || !child->name || !child->pkey) return;
    const auto parent = rtnl->link(child->parent);
    if (!parent || !parent->name || parent->name->size() <= parent_name_limit) return;
    const auto key = child->pkey->value();
    for (const auto written : {key, static_cast<std::uint16_t>(key & 0x7fff)})
        if (kernel_child_name(*parent->name, written) == child->name) {
            Finding f{Finding::Code::parent_name_long, *child->name};
            f.subject = parent->name->str();
            log(f.severity, text(f));
            return;
        }
}
} // namespace

void delete_if_left(NMDevice *device, int ifindex) { once<after_deactivation>(G_PRIORITY_LOW, device, ifindex); }
void delete_if_left_now(int ifindex) { once<after_unrealize>(G_PRIORITY_HIGH, nullptr, ifindex); }

void report_cut_name(NMDevice *device) { once<cut_name>(G_PRIORITY_DEFAULT_IDLE, device, 0); }

} // namespace nmib
