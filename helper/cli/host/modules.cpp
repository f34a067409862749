// SPDX-License-Identifier: LGPL-2.1-or-later
/// host modules [MODULE...|default]
#include "core/host/modules.hpp"

#include "cli/host/hardware.hpp"
#include "cli/host/writing.hpp"
#include "core/printable.hpp"
#include "probe/host/modules.hpp"
#include "probe/inventory/modules.hpp"

#include <algorithm>

namespace nmib::cli
{

namespace
{
void add(Words &all, const std::string &name)
{
    if (std::find(all.begin(), all.end(), name) == all.end()) all.push_back(name);
}

/// An unknown name is refused: systemd-modules-load says nothing that anybody sees, and goes on.
Result<Words> named(const Words &words, const std::set<std::string> &known)
{
    Words all;
    for (const auto &word : words) {
        if (!is_module_name(word) || !known.contains(module_name(word)))
            return bad(form(_("this kernel has no module '%s'; to see one's name: modinfo -F name FILE"),
                            printable(word).c_str()));
        add(all, module_name(word));
    }
    return all;
}
} // namespace

std::optional<Failure> host_modules(const HostRequest &request)
{
    HostPlan plan{.noun = "modules", .setting = "modules"};
    for (const auto &w : request.words) plan.setting += " " + printable(w);
    plan.is_default = request.words == Words{"default"};
    Words modules;
    if (plan.is_default) {
        plan.files.push_back(modules_place());
    } else {
        const auto known = read_known_modules();
        if (!known) return host_failed(known.error().what);
        const auto more = named(request.words, *known);
        if (!more) return host_refused(more.error().what);
        const auto hardware = look_at_hardware();
        if (!hardware) return host_failed(hardware.error().what);
        for (const auto &m : needed_modules(*hardware)) {
            if (known->contains(m))
                add(modules, m);
            else
                plan.notes.push_back(form(_("%s is needed, and this kernel does not have it"), m.c_str()));
        }
        for (const auto &m : *more) add(modules, m);
        if (modules.empty())
            return host_failed(
                _("this machine has no RDMA device and no InfiniBand card that would need a module; name the modules"));
        plan.files.push_back(modules_file(modules, plan.setting));
    }
    plan.after = [&](bool) -> Result<Words> {
        const auto sysfs = Dir::open("/sys");
        if (!sysfs) return sysfs.error();
        Words missing;
        for (const auto &m : modules)
            if (!has_module(*sysfs, m)) missing.push_back(m);
        if (missing.empty()) return Words{};
        const auto all = join(missing, " ");
        return Words{form(_("Not loaded: %s; until the next boot, or: modprobe -a %s"), all.c_str(), all.c_str())};
    };
    return carry_out(request, plan);
}

} // namespace nmib::cli
