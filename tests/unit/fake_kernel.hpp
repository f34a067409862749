// SPDX-License-Identifier: LGPL-2.1-or-later
/// Replaces rtnetlink and ethtool if linked before probe/: calls of Rtnl and Ethtool reach a KernelModel, the mode a
/// file of a tree. Requests have the bytes that the real kernel would get.
#pragma once
#include "kernel_model.hpp"
#include "tree.hpp"

namespace nmib::test
{

class FakeKernel
{
public:
    FakeKernel(Facts facts, std::map<int, KernelModel::Limits> limits);
    ~FakeKernel();
    FakeKernel(const FakeKernel &) = delete;
    FakeKernel &operator=(const FakeKernel &) = delete;

    /// The current kernel, including a mode that was written to the tree.
    KernelModel &model();
    std::string mode_file(const std::string &link) const { return tree.content("class/net/" + link + "/mode"); }

    SysTree tree;
    unsigned writes = 0; ///< requests for a change, including refused ones
    unsigned downs = 0;  ///< changes that take an interface down
    int no_features = 0; ///< errno of requests for offloads; 0: success

private:
    KernelModel model_;
};

/// The current instance; null between tests.
FakeKernel *&the_kernel();

} // namespace nmib::test
