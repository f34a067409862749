// SPDX-License-Identifier: LGPL-2.1-or-later
/// --rdma: the names of RDMA devices.
#pragma once
#include "terminal/json_fwd.hpp"
#include "verbs/name/name_files.hpp"

namespace nmib::cli
{

/// The directory of nm-ib's udev rules.
constexpr std::string_view rules_directory = "/etc/udev/rules.d";

struct DeviceName {
    const RdmaNode *node; ///< an element of NamingWorld::devices; never null
    std::string name;
    NameFiles files;
};
/// Plans the name that `name set --rdma` gives to a port's RDMA device: the option's value, or the port's new name. An
/// Error, with the remedy, if the name would not work, or if a file that was changed by hand would be lost.
Result<DeviceName> device_name(const NamingWorld &world, const PortIdentity &port, const NameRequest &request);
/// After the files are written: with --now, renames the device. Prints the result, or adds the key "rdma" to `report`.
Status name_device(const DeviceName &plan, const NameRequest &request, Json &report);

/// `name unset --rdma` and `name propose --rdma`.
Status unset_device_name(const NamingWorld &world, const NameRequest &request);
Status propose_device_names(const NamingWorld &world, const NameRequest &request);

} // namespace nmib::cli
