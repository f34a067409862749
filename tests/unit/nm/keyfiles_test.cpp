// SPDX-License-Identifier: LGPL-2.1-or-later
// Which files are keyfiles for NetworkManager.
#include "nm/profiles.hpp"

#include <gtest/gtest.h>

namespace nmib::cli
{
namespace
{

TEST(KeyfileName, AcceptsTheNamesThatNetworkManagerReads)
{
    const std::string etc = "/etc/NetworkManager/system-connections", run = "/run/NetworkManager/system-connections";
    for (const auto *name : {"ib0.nmconnection", "warewulf-ib0.conf", "ib0", "ib0.bak", "ib0.rpmsave", "a b", "ib.0"})
        EXPECT_TRUE(is_keyfile_name(etc, name)) << name;
    for (const auto *name : {"", ".ib0.nmconnection", "ib0~", "ib0.rpmnew", "ib0.A1b2C3", "key.pem", "cert.DER"})
        EXPECT_FALSE(is_keyfile_name(etc, name)) << name;
    EXPECT_TRUE(is_keyfile_name(run, "netplan-ib0.nmconnection"));
    for (const auto *name : {"ib0", "warewulf-ib0.conf", ".nmconnection", ".x.nmconnection"})
        EXPECT_FALSE(is_keyfile_name(run, name)) << name;
}

} // namespace
} // namespace nmib::cli
