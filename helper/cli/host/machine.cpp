// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/base/process.hpp"
#include "cli/host/host.hpp"

#include "probe/base/layers.hpp"
#include "probe/port/modules.hpp"
#include "probe/port/rdma_devices.hpp"

#include <unistd.h>

namespace nmib::cli
{

Result<std::vector<RdmaDevice>> read_devices()
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

Result<RdmaHardware> read_hardware()
{
    const auto sysfs = Dir::open("/sys");
    if (!sysfs) return sysfs.error();
    const auto devices = read_devices();
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

void each_conf_file(const Words &directories,
                    const std::function<void(const std::string &path, const std::string &text)> &look)
{
    const auto files = layered_files(directories, ".conf");
    for (const auto &[name, path] : files ? *files : std::map<std::string, std::string>{})
        if (const auto text = read_file(path)) look(path, *text);
}

std::string unit_property(const std::string &unit, const char *property)
{
    const auto run = run_for({"/usr/bin/systemctl", "show", "-P", property, "--", unit}, 10);
    return run && run->code == 0 ? std::string(trim(run->out)) : std::string();
}

bool has_unit_file(const std::string &name)
{
    for (const std::string place : {"/etc", "/run", "/usr/local/lib", "/usr/lib", "/lib"})
        if (::access((place + "/systemd/system/" + name).c_str(), F_OK) == 0) return true;
    return false;
}

} // namespace nmib::cli
