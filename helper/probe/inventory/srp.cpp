// SPDX-License-Identifier: LGPL-2.1-or-later
#include "probe/inventory/srp.hpp"

#include "core/number.hpp"

#include <algorithm>

namespace nmib
{

namespace
{
/// Empty where the file is not there, or is not one line of text.
std::string line(const Dir &dir, const std::string &file)
{
    const auto text = dir.read(file, 256);
    const auto value = text ? trim(*text) : std::string_view{};
    return value.find_first_of(std::string_view("\0\n", 2)) == value.npos ? std::string(value) : "";
}

/// "running": of the remote port of this SCSI host, which is called "port-3:1" (scsi_transport_srp.c).
std::string state_of(const Dir &sysfs, const std::string &number)
{
    const auto ports = sysfs.sub("class/srp_remote_ports");
    const auto names = ports ? ports->list(4096) : Result<std::vector<std::string>>(ports.error());
    for (const auto &name : names ? *names : std::vector<std::string>{})
        if (name.starts_with("port-" + number + ":")) return line(sysfs, "class/srp_remote_ports/" + name + "/state");
    return {};
}

Read<std::vector<SrpTarget>> targets_of(const Dir &sysfs, const std::string &device, unsigned port)
{
    constexpr std::string_view prefix = "host";
    const auto hosts = sysfs.sub("class/scsi_host");
    if (!hosts && hosts.error().kind == Error::Kind::absent) return std::vector<SrpTarget>{};
    const auto names = hosts ? hosts->list(65536) : Result<std::vector<std::string>>(hosts.error());
    if (!names) return names.error();
    std::vector<SrpTarget> all;
    for (const auto &name : *names) {
        const auto host = sysfs.sub("class/scsi_host/" + name);
        if (!host || !name.starts_with(prefix)) continue; // gone meanwhile
        if (line(*host, "local_ib_device") != device || line(*host, "local_ib_port") != std::to_string(port)) continue;
        all.push_back({.host = name,
                       .id_ext = line(*host, "id_ext"),
                       .ioc_guid = line(*host, "ioc_guid"),
                       .dgid = line(*host, "dgid"),
                       .pkey = line(*host, "pkey"),
                       .state = state_of(sysfs, name.substr(prefix.size()))});
    }
    return all;
}
} // namespace

void read_srp(const Dir &sysfs, const std::string &device, RdmaPort &port)
{
    const auto name = "srp-" + device + "-" + std::to_string(port.number);
    const auto initiator = sysfs.exists("class/infiniband_srp/" + name);
    if (!initiator) port.srp = initiator.error();
    if (!initiator || !*initiator) return;
    port.srp = name;
    port.srp_targets = targets_of(sysfs, device, port.number);
}

} // namespace nmib
