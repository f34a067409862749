// SPDX-License-Identifier: LGPL-2.1-or-later
/// Kernel modules, and cards without modules, nodes or providers.
#pragma once
#include "core/host/modules.hpp"
#include "probe/base/dir.hpp"

#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace nmib
{

/// Returns true if the module is loaded, built in, or unknown.
bool has_module(const Dir &sysfs, const std::string &name);

/// Returns address and driver of PCI functions of class InfiniBand with an RDMA driver and without RDMA device.
/// Ethernet cards of these drivers need no RDMA device.
std::vector<std::pair<std::string, std::string>> bare_functions(const Dir &sysfs);

/// Returns PCI functions of that class without a driver, and the kernel's driver for them; empty if unknown.
std::vector<std::pair<std::string, std::string>> unbound_functions(const Dir &sysfs);

/// Returns true if a library is installed, such as "libibverbs.so.1". `root` is /.
bool has_library(const Dir &root, const std::string &name);
/// Returns the states of modules. `installed`: /lib/modules.
std::map<std::string, KernelModule> module_states(const Dir &sysfs, const Result<Dir> &installed,
                                                  const std::string &release, std::span<const std::string> names);
/// The running kernel's release.
std::string kernel_release();

// The files that libibverbs needs for each card.

/// Returns devices of libibverbs without a node: "uverbs0" and its RDMA device. `dev` is /dev.
std::vector<std::pair<std::string, std::string>> missing_verbs_nodes(const Dir &sysfs, const Dir &dev);

/// Returns RDMA devices and their missing providers, like "mlx5". Nothing without libibverbs. `root` is /.
std::vector<std::pair<std::string, std::string>> missing_verbs_providers(const Dir &sysfs, const Dir &root);

} // namespace nmib
