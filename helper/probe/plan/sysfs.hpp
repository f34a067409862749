// SPDX-License-Identifier: LGPL-2.1-or-later
/// HCAs, ports and other values that only sysfs has.
#pragma once
#include "core/base/result.hpp"
#include "core/plan/facts.hpp"
#include "probe/base/dir.hpp"

#include <cstdint>

namespace nmib
{

/// The HCA and port of an interface, found through its `device` link.
struct PortRow {
    Hca hca;
    Port port; ///< without Port::hca
};

class Sysfs
{
public:
    /// `root` is /sys or a similar tree.
    static Result<Sysfs> open(const std::string &root = "/sys");

    /// Returns true if the interface has a `mode` file, and still has this name. Error: unknown.
    Result<bool> has_mode_file(const IfName &link, int ifindex) const;
    /// Returns complete values, or an Error. Kind `absent`: there is no device, as for a child. Other kinds: a value is
    /// missing, invalid or unreadable, or the name now belongs to another interface. No Error: no PCI bus, no revision
    /// from the RDMA driver, an unreadable LID.
    Result<PortRow> port(const IfName &link, int ifindex) const;
    /// Reads the P_Key table without empty entries. Separate, because a table has up to 65,535 files.
    Result<std::vector<PKey>> pkeys(const std::string &hca, unsigned port) const;

    const Dir &root() const noexcept { return root_; }

private:
    explicit Sysfs(Dir root) : root_(std::move(root)) {}
    Dir root_;
};

} // namespace nmib
