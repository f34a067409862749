// SPDX-License-Identifier: LGPL-2.1-or-later
/// A network namespace with interfaces of the real kernel. Needs root.
#pragma once
#include "probe/base/dir.hpp"
#include "probe/base/rtnl.hpp"

#include <gtest/gtest.h>

namespace nmib::test
{

/// Each test runs in a new namespace, which is removed after the test.
class NetNs : public testing::Test
{
protected:
    void SetUp() override;
    void TearDown() override;

    /// Makes an interface of this kind and returns its ifindex; 0 if the kernel refuses.
    static int add(const std::string &name, const std::string &kind);
    /// A tun interface of type InfiniBand without an address. Exists as long as the descriptor.
    static UniqueFd add_infiniband_tun(const std::string &name);

private:
    UniqueFd before_;
};

} // namespace nmib::test
