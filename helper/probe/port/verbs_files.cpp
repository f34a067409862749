// SPDX-License-Identifier: LGPL-2.1-or-later
#include "probe/port/verbs_files.hpp"

#include "core/base/number.hpp"

#include <algorithm>

namespace nmib
{

namespace
{
/// Of libibverbs: "uverbs0" and its RDMA device.
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

/// Where Debian and RHEL have it.
bool has_library(const Dir &root)
{
    constexpr const char *places[] = {"usr/lib64", "usr/lib/x86_64-linux-gnu", "usr/lib/aarch64-linux-gnu",
                                      "usr/lib/powerpc64le-linux-gnu"};
    return std::any_of(std::begin(places), std::end(places),
                       [&](const std::string &place) { return is_there(root, place + "/libibverbs.so.1"); });
}
} // namespace

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
    if (!has_library(root)) return all;
    for (const auto &[node, device] : verbs_devices(sysfs)) {
        const auto driver = sysfs.sub("class/infiniband/" + device + "/device");
        const auto name = driver ? driver->symlink_name("driver") : Result<std::string>(Error{});
        if (!name || (*name != "mlx4_core" && *name != "mlx5_core")) continue; // of others the names differ
        const auto provider = name->substr(0, name->find('_'));
        if (!is_there(root, "etc/libibverbs.d/" + provider + ".driver")) all.emplace_back(device, provider);
    }
    return all;
}

} // namespace nmib
