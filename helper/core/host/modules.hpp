// SPDX-License-Identifier: LGPL-2.1-or-later
/// Kernel modules that this machine's cards need at boot.
#pragma once
#include "core/host/file.hpp"

#include <set>
#include <span>
#include <vector>

namespace nmib
{

/// A kernel module that is needed for RDMA.
struct KernelModule {
    enum class State {
        unknown,
        loaded,       ///< or built in
        loadable,     ///< installed for the running kernel
        other_kernel, ///< only for other kernels
        missing
    };
    State state = State::unknown;
    std::string kernels{}; ///< other_kernel: which, "6.1.0-9-amd64, 6.1.0-10-amd64"
};

struct RdmaHardware {
    std::set<std::string> drivers{}; ///< "mlx4_core", of the PCI functions
    bool has_infiniband = false;     ///< InfiniBand ports, or cards that may have them
    bool has_device = false;         ///< any RDMA device or card
};

/// In loading order.
std::vector<std::string> needed_modules(const RdmaHardware &hardware);

/// Returns true for letters, digits, "_" and "-" only, up to 55, with no "-" at the start.
bool is_module_name(std::string_view word) noexcept;
bool is_rdma_module(std::string_view name) noexcept;
/// The kernel's name of a loaded module: "ib-ipoib" is "ib_ipoib".
std::string module_name(std::string_view word);
/// The modules in modules.dep or modules.builtin (depmod(8)).
std::set<std::string> listed_modules(std::string_view text);

/// The file that lists the modules. Without modules: only its path.
HostFile modules_file(std::span<const std::string> modules, std::string_view command);

} // namespace nmib
