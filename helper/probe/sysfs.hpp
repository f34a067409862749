// SPDX-License-Identifier: LGPL-2.1-or-later
/// HCAs, ports and what else only sysfs knows of an interface.
#pragma once
#include "core/facts.hpp"
#include "core/result.hpp"
#include "probe/dir.hpp"

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

    /// Whether an interface has a `mode` file; an error when nobody can tell. `ifindex` guards against a name that
    /// changed hands.
    Result<bool> has_mode_file(const IfName &link, int ifindex) const;
    /// Fails when the interface has no PCI device or no RDMA device behind it; files that are missing or make no sense
    /// are taken as unknown.
    Result<PortRow> port(const IfName &link) const;
    /// Reads again what of a row changes in an interface's life: the state of the port. False when it is not there any
    /// more under that name.
    bool refresh(PortRow &row) const;
    /// The P_Key table, without its empty entries. Lazy, because a table has up to 65,535 files.
    Result<std::vector<std::uint16_t>> pkeys(const std::string &hca, unsigned port) const;

    const Dir &root() const noexcept { return root_; }

private:
    explicit Sysfs(Dir root) : root_(std::move(root)) {}
    Dir root_;
};

} // namespace nmib
