// SPDX-License-Identifier: LGPL-2.1-or-later
/// Kernel modules that this machine's cards need at boot.
#pragma once
#include <set>
#include <string>
#include <string_view>

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

/// The modules in modules.dep or modules.builtin (depmod(8)), by the names of loaded modules: "ib-ipoib" is "ib_ipoib".
std::set<std::string> listed_modules(std::string_view text);

} // namespace nmib
