// SPDX-License-Identifier: LGPL-2.1-or-later
/// The kernel modules that this machine's cards need from the boot on.
#pragma once
#include "core/host/file.hpp"

#include <set>
#include <span>
#include <vector>

namespace nmib
{

struct RdmaHardware {
    std::set<std::string> drivers{}; ///< of the PCI functions: "mlx4_core"
    bool has_infiniband = false;     ///< a port of it, or a card that may have one
    bool has_device = false;         ///< any RDMA device or card
};

/// In the order to load them.
std::vector<std::string> needed_modules(const RdmaHardware &hardware);

/// Letters, digits, "_" and "-".
bool is_module_name(std::string_view word) noexcept;
/// Of RDMA, by its name: "mlx5_ib", "ib_umad", "rdma_ucm".
bool is_rdma_module(std::string_view name) noexcept;
/// As the kernel calls it when it is loaded: "ib-ipoib" is "ib_ipoib".
std::string module_name(std::string_view word);
/// The names in modules.dep or modules.builtin (depmod(8)).
std::set<std::string> listed_modules(std::string_view text);

/// Without modules: where it would be.
HostFile modules_file(std::span<const std::string> modules, std::string_view command);

} // namespace nmib
