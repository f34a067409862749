// SPDX-License-Identifier: LGPL-2.1-or-later
/// The udev rule that gives an RDMA device its name, by rdma-core's rdma_rename (rdma-core, kernel-boot/rdma_rename.c).
#pragma once
#include "core/name/port_name.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace nmib
{

/// rdma-core's program, which udev runs by its name.
constexpr const char *rdma_rename = "/usr/lib/udev/rdma_rename";

/// An RDMA device as udev identifies it.
struct RdmaNode {
    std::string name{};
    Guid guid{};        ///< the node GUID; 0 if there is none
    unsigned ports = 0; ///< InfiniBand ports
};

/// A rules file of nm-ib.
struct RdmaRule {
    std::string file{}; ///< file name
    std::string path{}; ///< full path
    std::string text{}; ///< as read
    PortName name;
    std::optional<Guid> node{}; ///< nullopt: changed by hand, and not understood
};

/// Sorts before rdma-core's 60-rdma-persistent-naming.rules.
constexpr std::string_view rdma_rules_prefix = "59-nm-infiniband-rdma-";
/// "59-nm-infiniband-rdma-storage.rules"
std::string rdma_rule_file(const PortName &name);
/// The name in such a file name; nullopt for other files.
std::optional<PortName> rdma_name_in(std::string_view file_name);

/// The whole file. No value can contain a quote or a line break: PortName and Guid exclude them.
std::string rdma_rule_text(const PortName &name, const Guid &node);
/// The node GUID that the rules match; nullopt if there is none.
std::optional<Guid> node_of(std::string_view rules);

/// Why a text cannot be the name of an RDMA device, in one line; empty if it can. Refuses names as the kernel (mlx5_0)
/// and rdma-core (ibp5s0) give them: a rename to a name that is in use fails.
std::string rdma_name_fault(std::string_view name, Translate translate = untranslated);

} // namespace nmib
