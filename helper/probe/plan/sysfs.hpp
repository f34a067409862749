// SPDX-License-Identifier: LGPL-2.1-or-later
/// HCAs, ports and what else only sysfs knows of an interface.
#pragma once
#include "core/base/result.hpp"
#include "core/plan/facts.hpp"
#include "probe/base/dir.hpp"

#include <cstdint>

namespace nmib
{

/// The HCA and port behind a port's interface, found through its `device` link.
struct PortRow {
    Hca hca;
    Port port; ///< Port::hca is not set
};

class Sysfs
{
public:
    /// `root` is /sys, or a tree like it.
    static Result<Sysfs> open(const std::string &root = "/sys");

    /// Whether an interface has a `mode` file; an error when it is not known. `ifindex` guards against a name that
    /// changed hands.
    Result<bool> has_mode_file(const IfName &link, int ifindex) const;
    /// All of it or an Error: of kind `absent` when the interface has no device behind it, as a child has none; of any
    /// other kind when something is missing, makes no sense or could not be read, or when the name is another
    /// interface's by now. A device that is not on a PCI bus has no numbers, not every RDMA driver reports a revision,
    /// and a LID that cannot be read is no error.
    Result<PortRow> port(const IfName &link, int ifindex) const;
    /// The P_Key table, without its empty entries. Lazy, because a table has up to 65,535 files.
    Result<std::vector<std::uint16_t>> pkeys(const std::string &hca, unsigned port) const;

    const Dir &root() const noexcept { return root_; }

private:
    explicit Sysfs(Dir root) : root_(std::move(root)) {}
    Dir root_;
};

} // namespace nmib
