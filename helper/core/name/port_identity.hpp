// SPDX-License-Identifier: LGPL-2.1-or-later
/// A port, and everything that a rule for names can know it by.
#pragma once
#include "core/ib/hwaddr.hpp"
#include "core/ib/ifname.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace nmib
{

/// What udev knows of the interface of a port.
struct PortInterface {
    int ifindex = 0;
    IfName name;
    HwAddr address{};
    bool up = false;
    std::vector<std::string> alternative_names{};
    /// udev's properties of the device, ID_IPOIB_ADDRESS and ID_IPOIB_DEV_PORT among them.
    std::map<std::string, std::string> properties{};
};

struct PortIdentity {
    std::string hca;     ///< RDMA device name, e.g. "mlx4_0" (not stable: rdma-core may rename it)
    unsigned number = 1; ///< of the port, counted from 1
    std::string driver;  ///< of the PCI function, e.g. "mlx4_core"; empty when there is none
    std::string bus;     ///< PCI address, e.g. "0000:05:00.0"; empty when there is none
    Guid guid{};         ///< 0 when the port has none
    std::optional<PortInterface> interface {
    }; ///< none while ib_ipoib is not loaded

    /// "mlx4_0/1"; the GUID of a port that is not there
    std::string label() const { return hca.empty() ? guid.str() : hca + "/" + std::to_string(number); }
    /// The value of a udev property of the interface, or an empty one.
    std::string property(const std::string &key) const
    {
        if (!interface) return {};
        const auto found = interface->properties.find(key);
        return found == interface->properties.end() ? std::string{} : found->second;
    }
};

} // namespace nmib
