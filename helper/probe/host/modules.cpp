// SPDX-License-Identifier: LGPL-2.1-or-later
#include "probe/host/modules.hpp"

#include "core/base/text.hpp"

#include <algorithm>
#include <sys/utsname.h>

namespace nmib
{

namespace
{
/// Network controller or serial bus controller, InfiniBand (PCI Code and ID Assignment Specification; linux/pci_ids.h).
bool is_infiniband(const Dir &function)
{
    const auto number = function.hexadecimal("class", 0xffffff).value_or(0) >> 8;
    if (number == 0x0207 || number == 0x0c06) return true;
    // Some cards call themselves a network controller of another kind.
    return number == 0x0280 && function.hexadecimal("vendor", 0xffff) == 0x15b3;
}

/// Cards before Connect-IB (mlx4/main.c, mlx4_pci_table).
bool is_mlx4(std::uint64_t device)
{
    return (device >= 0x6340 && device <= 0x6778) || (device >= 0x1002 && device <= 0x1010);
}
} // namespace

bool has_module(const Dir &sysfs, const std::string &name)
{
    const auto there = sysfs.exists("module/" + name);
    return !there || *there;
}

std::vector<std::pair<std::string, std::string>> bare_functions(const Dir &sysfs)
{
    std::vector<std::pair<std::string, std::string>> all;
    for (const std::string driver : {"mlx4_core", "mlx5_core"}) {
        const auto path = "bus/pci/drivers/" + driver;
        for (const auto &name : sysfs.names(path)) {
            if (name.find(':') == name.npos || name == "module") continue;
            const auto function = sysfs.sub(path + "/" + name);
            // If the device belongs to another network namespace, the directory stays, and is empty.
            if (function && function->names("infiniband").empty() && is_infiniband(*function))
                all.emplace_back(name, driver);
        }
    }
    return all;
}

std::vector<std::pair<std::string, std::string>> unbound_functions(const Dir &sysfs)
{
    std::vector<std::pair<std::string, std::string>> all;
    const std::string path = "bus/pci/devices";
    for (const auto &name : sysfs.names(path)) {
        const auto function = sysfs.sub(path + "/" + name);
        if (!function || !is_infiniband(*function)) continue;
        const auto driver = function->exists("driver"), is_virtual = function->exists("physfn");
        if (!driver || *driver || !is_virtual || *is_virtual) continue; // a guest may have a virtual one
        const bool is_mellanox = function->hexadecimal("vendor", 0xffff).value_or(0) == 0x15b3;
        const auto device = function->hexadecimal("device", 0xffff).value_or(0);
        all.emplace_back(name, !is_mellanox ? "" : is_mlx4(device) ? "mlx4_core" : "mlx5_core");
    }
    return all;
}

std::string kernel_release()
{
    struct utsname system {
    };
    (void)::uname(&system);
    return system.release;
}

namespace
{
/// Returns the modules of one kernel, loadable and built in.
Result<std::set<std::string>> modules_of(const Dir &installed, const std::string &release)
{
    constexpr std::size_t longest = 16U << 20;
    const auto loadable = installed.read(release + "/modules.dep", longest);
    if (!loadable) return loadable.error();
    auto all = listed_modules(*loadable);
    if (const auto built_in = installed.read(release + "/modules.builtin", longest))
        all.merge(listed_modules(*built_in));
    return all;
}
} // namespace

std::map<std::string, KernelModule> module_states(const Dir &sysfs, const Result<Dir> &installed,
                                                  const std::string &release, std::span<const std::string> names)
{
    using State = KernelModule::State;
    std::map<std::string, KernelModule> all;
    for (const auto &name : names)
        if (has_module(sysfs, name)) all[name].state = State::loaded;
    if (all.size() == names.size() || !installed) return all;
    // A module that is built in and has no parameters is not in sysfs.
    const auto built_in = installed->read(release + "/modules.builtin", 16U << 20);
    const auto in_kernel = built_in ? listed_modules(*built_in) : std::set<std::string>{};
    for (const auto &name : names)
        if (in_kernel.contains(name)) all[name].state = State::loaded;
    const auto known = modules_of(*installed, release);
    for (const auto &name : names) {
        if (all.contains(name)) continue;
        auto &module = all[name];
        if (known && known->contains(name)) {
            module.state = State::loadable;
            continue;
        }
        for (const auto &kernel : installed->names("."))
            if (const auto others = modules_of(*installed, kernel);
                kernel != release && others && others->contains(name))
                module.kernels += (module.kernels.empty() ? "" : ", ") + kernel;
        // Without the list of this kernel, as in a container, only the list of another kernel shows something.
        if (!module.kernels.empty())
            module.state = State::other_kernel;
        else if (known)
            module.state = State::missing;
    }
    return all;
}

namespace
{
/// Returns pairs like "uverbs0" and its RDMA device.
std::vector<std::pair<std::string, std::string>> verbs_devices(const Dir &sysfs)
{
    std::vector<std::pair<std::string, std::string>> all;
    for (const auto &name : sysfs.names("class/infiniband_verbs")) {
        const auto device = sysfs.read("class/infiniband_verbs/" + name + "/ibdev", 64);
        if (name.starts_with("uverbs") && device) all.emplace_back(name, trim(*device));
    }
    return all;
}

bool is_there(const Dir &root, const std::string &path)
{
    const auto there = root.exists(path);
    return there && *there;
}
} // namespace

bool has_library(const Dir &root, const std::string &name)
{
    // The places of Debian and RHEL.
    constexpr const char *places[] = {"usr/lib64", "usr/lib/x86_64-linux-gnu", "usr/lib/aarch64-linux-gnu",
                                      "usr/lib/powerpc64le-linux-gnu"};
    return std::any_of(std::begin(places), std::end(places),
                       [&](const std::string &place) { return is_there(root, place + "/" + name); });
}

std::vector<std::pair<std::string, std::string>> missing_verbs_nodes(const Dir &sysfs, const Dir &dev)
{
    auto all = verbs_devices(sysfs);
    std::erase_if(all, [&](const auto &d) {
        const auto there = dev.exists("infiniband/" + d.first);
        return !there || *there;
    });
    return all;
}

std::vector<std::pair<std::string, std::string>> missing_verbs_providers(const Dir &sysfs, const Dir &root)
{
    std::vector<std::pair<std::string, std::string>> all;
    if (!has_library(root, "libibverbs.so.1")) return all;
    for (const auto &[node, device] : verbs_devices(sysfs)) {
        const auto driver = sysfs.sub("class/infiniband/" + device + "/device");
        const auto name = driver.and_then([](auto &d) { return d.symlink_name("driver"); });
        if (!name || (*name != "mlx4_core" && *name != "mlx5_core")) continue; // other providers have other names
        const auto provider = name->substr(0, name->find('_'));
        if (!is_there(root, "etc/libibverbs.d/" + provider + ".driver")) all.emplace_back(device, provider);
    }
    return all;
}

} // namespace nmib
