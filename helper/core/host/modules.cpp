// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/host/modules.hpp"

#include "core/base/text.hpp"

#include <algorithm>

namespace nmib
{

std::vector<std::string> needed_modules(const RdmaHardware &hardware)
{
    std::vector<std::string> all;
    if (hardware.drivers.contains("mlx4_core")) all.emplace_back("mlx4_ib");
    if (hardware.drivers.contains("mlx5_core")) all.emplace_back("mlx5_ib");
    if (hardware.has_infiniband) all.insert(all.end(), {"ib_ipoib", "ib_umad"});
    if (hardware.has_device || !hardware.drivers.empty()) all.insert(all.end(), {"ib_uverbs", "rdma_ucm"});
    return all;
}

bool is_module_name(std::string_view word) noexcept
{
    constexpr std::size_t longest = 55; // MODULE_NAME_LEN (linux/module.h) on 64 bits
    const auto is_one = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
    };
    return !word.empty() && word.size() <= longest && word[0] != '-' && std::all_of(word.begin(), word.end(), is_one);
}

bool is_rdma_module(std::string_view name) noexcept
{
    constexpr std::string_view starts[] = {"ib_", "iw_", "rdma", "mlx4_", "mlx5_", "rpcrdma", "xprtrdma", "svcrdma"},
                               whole[] = {"siw", "irdma", "bnxt_re", "qedr", "efa", "hfi1", "erdma", "mana_ib"};
    return std::any_of(std::begin(starts), std::end(starts), [&](auto s) { return name.starts_with(s); }) ||
           std::find(std::begin(whole), std::end(whole), name) != std::end(whole);
}

std::string module_name(std::string_view word)
{
    std::string name(word);
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

std::set<std::string> listed_modules(std::string_view text)
{
    std::set<std::string> all;
    while (!text.empty()) {
        auto path = trim(take(text));
        path = path.substr(0, path.find(':'));
        if (const auto slash = path.rfind('/'); slash != path.npos) path.remove_prefix(slash + 1);
        const auto dot = path.find(".ko");
        if (dot != path.npos && is_module_name(path.substr(0, dot))) all.insert(module_name(path.substr(0, dot)));
    }
    return all;
}

HostFile modules_file(std::span<const std::string> modules, std::string_view command)
{
    HostFile file{.directory = "/etc/modules-load.d", .name = "90-nm-ib.conf"};
    std::string body;
    for (const auto &m : modules) body += m + "\n";
    if (!modules.empty()) file.text = host_text(command, "modules unset", body);
    return file;
}

} // namespace nmib
