// SPDX-License-Identifier: LGPL-2.1-or-later
/// A network namespace of the test's own, with interfaces of the real kernel in it. Needs root.
#pragma once
#include "probe/base/dir.hpp"
#include "probe/base/rtnl.hpp"

#include <gtest/gtest.h>

namespace nmib::test
{

/// Each test runs in a namespace that is new and goes with it.
class NetNs : public testing::Test
{
protected:
    void SetUp() override;
    void TearDown() override;

    /// Makes an interface of that kind and returns its ifindex; 0 when the kernel would not.
    static int add(const std::string &name, const std::string &kind);
    /// A tun interface that says it is InfiniBand, though without an address. It lives as long as the descriptor.
    static UniqueFd add_infiniband_tun(const std::string &name);

private:
    UniqueFd before_;
};

} // namespace nmib::test
