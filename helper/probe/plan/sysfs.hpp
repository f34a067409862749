// SPDX-License-Identifier: LGPL-2.1-or-later
/// The RDMA device of an interface, and other values that only sysfs has.
#pragma once
#include "core/ib/rdma_device.hpp"
#include "probe/base/dir.hpp"

namespace nmib
{

class Sysfs
{
public:
    /// `root` is /sys or a similar tree.
    static Result<Sysfs> open(const std::string &root = "/sys");

    /// Returns true if the interface has a `mode` file, and still has this name. Error: unknown.
    Result<bool> has_mode_file(const IfName &link, int ifindex) const;
    /// Returns the RDMA device behind the interface's `device` link, with the values for a plan and the interface's
    /// port alone. Error `absent`: there is no device, as for a child. Other kinds: a value is missing, invalid or
    /// unreadable, or the name now belongs to another interface. May be unknown without an Error: pci_id and
    /// pci_revision if there is no PCI bus, hw_rev. Asks no firmware.
    Result<RdmaDevice> device(const IfName &link, int ifindex) const;
    /// Reads the LID of the port's subnet manager: a firmware query on some cards.
    Read<unsigned> sm_lid(const std::string &hca, unsigned port) const;
    /// Reads the P_Key table without empty entries. Separate, because a table has up to 65,535 files.
    Read<std::vector<PKeyEntry>> pkeys(const std::string &hca, unsigned port) const;

    const Dir &root() const noexcept { return root_; }

private:
    explicit Sysfs(Dir root) : root_(std::move(root)) {}
    Dir root_;
};

} // namespace nmib
