// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/host/hardware.hpp"

#include "probe/inventory/modules.hpp"
#include "probe/inventory/rdma_devices.hpp"

namespace nmib::cli
{

Result<std::vector<RdmaDevice>> look_at_devices()
{
    const auto sysfs = Dir::open("/sys");
    if (!sysfs) return sysfs.error();
    auto devices = read_rdma_devices(*sysfs, {});
    if (!devices) return devices.error();
    for (auto &device : *devices) {
        read_details(*sysfs, device);
        for (auto &port : device.ports) read_details(*sysfs, device, port);
    }
    return devices;
}

Result<RdmaHardware> look_at_hardware()
{
    const auto sysfs = Dir::open("/sys");
    if (!sysfs) return sysfs.error();
    const auto devices = look_at_devices();
    if (!devices) return devices.error();
    RdmaHardware all;
    for (const auto &device : *devices) {
        all.has_device = true;
        all.drivers.insert(device.driver);
        for (const auto &port : device.ports) all.has_infiniband |= port.layer && *port.layer == LinkLayer::infiniband;
    }
    for (const auto &[bus, driver] : bare_functions(*sysfs)) {
        all.drivers.insert(driver);
        all.has_infiniband = true;
    }
    all.drivers.erase("");
    return all;
}

} // namespace nmib::cli
