// SPDX-License-Identifier: LGPL-2.1-or-later
/// host modules [auto|MODULE...|unset]
#include "core/host/modules.hpp"

#include "cli/base/image.hpp"
#include "cli/host/host.hpp"
#include "core/base/text.hpp"
#include "probe/host/modules.hpp"

#include <algorithm>

namespace nmib::cli
{

namespace
{
/// Refuses a name that this kernel does not know: systemd-modules-load would only log a failure.
Result<Words> modules_of(const Request &request, HostPlan &plan)
{
    const auto known = in_image() ? Result(std::set<std::string>{}) : read_known_modules();
    if (!known) return known.error();
    Words all;
    const auto add = [&](const std::string &name) {
        if (std::find(all.begin(), all.end(), name) == all.end()) all.push_back(name);
    };
    const bool automatic = request.words.front() == "auto";
    if (automatic && in_image()) return bad(_("--root: auto reads the cards of this machine; name the modules"));
    if (automatic) {
        const auto hardware = read_hardware();
        if (!hardware) return hardware.error();
        for (const auto &m : needed_modules(*hardware))
            if (known->contains(m))
                add(m);
            else
                plan.notes.push_back(
                    form("module {} is needed, but this kernel does not have the module, ignoring", m));
    }
    for (auto word = request.words.begin() + (automatic ? 1 : 0); word != request.words.end(); ++word) {
        if (!is_module_name(*word) || (!in_image() && !known->contains(module_name(*word))))
            return bad(form("this kernel has no module '{}'\n"
                            "To see the name of a module:\n"
                            "  modinfo -F name FILE",
                            printable(*word)));
        add(module_name(*word));
    }
    if (all.empty())
        return Error{Error::Kind::absent, _("no RDMA device or InfiniBand card found that needs a "
                                            "module; name the modules")};
    return all;
}

void add_row(const Dir &sysfs, const std::string &path, const std::string &text, HostRows &rows)
{
    Words named, missing;
    for (const auto &line : cut(text, "\n")) {
        const std::string word(trim(line));
        if (!is_module_name(word)) continue;
        named.push_back(word);
        if (!has_module(sysfs, module_name(word))) missing.push_back(word);
    }
    const bool ours = is_host_file(text);
    const auto is_rdma = [](const std::string &word) { return is_rdma_module(module_name(word)); };
    if (named.empty() || (!ours && std::none_of(named.begin(), named.end(), is_rdma))) return;
    HostRow row{"modules", join(named, " "), path, {}, {}, ours};
    if (in_image()) missing.clear();
    if (!in_image()) row.effect = missing.empty() ? _("all loaded") : form("not loaded: {}", join(missing, " "));
    if (ours && !missing.empty()) {
        missing.insert(missing.begin(), {"modprobe", "-a"});
        row.commands.push_back(std::move(missing));
    }
    rows.push_back(std::move(row));
}
} // namespace

Status host_modules(const Request &request)
{
    HostPlan plan{.noun = "modules", .setting = "modules " + printable(join(request.words, " "))};
    Words modules;
    if (!is_unset(request) || request.words.size() > 1) {
        auto named = modules_of(request, plan);
        if (!named) return host_failure(named.error());
        modules = std::move(*named);
    }
    plan.files.push_back(modules_file(modules, plan.setting));
    plan.after = [&](bool) -> Result<Words> {
        const auto sysfs = Dir::open("/sys");
        if (!sysfs) return sysfs.error();
        Words missing;
        for (const auto &m : modules)
            if (!has_module(*sysfs, m)) missing.push_back(m);
        if (missing.empty()) return Words{};
        const auto all = join(missing, " ");
        return Words{form("Not loaded before the next boot: {}\n"
                          "To load the modules now:\n"
                          "  modprobe -a {}",
                          all, all)};
    };
    return carry_out(request, plan);
}

void add_module_rows(HostRows &rows)
{
    const auto sysfs = Dir::open("/sys");
    if (!sysfs) return;
    const auto add = [&](const std::string &path, const std::string &text) { add_row(*sysfs, path, text, rows); };
    each_conf_file({"/etc/modules-load.d", "/run/modules-load.d", "/usr/lib/modules-load.d"}, add);
    // Modules in /etc/rdma/modules wait for their devices: a module that is not loaded is no fault.
    each_conf_file({"/etc/rdma/modules"}, add);
}

} // namespace nmib::cli
