// SPDX-License-Identifier: LGPL-2.1-or-later
/// Stands in for rtnetlink and ethtool when linked before probe/: the calls of Rtnl and Ethtool end in a KernelModel,
/// the mode in a file of a tree. Requests arrive as the bytes that would go to the kernel.
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

    /// The kernel as it is now; a mode written to the tree has taken effect.
    KernelModel &model();
    std::string mode_file(const std::string &link) const { return tree.content("class/net/" + link + "/mode"); }

    SysTree tree;
    unsigned writes = 0; ///< requests that wanted a change, refused ones too
    unsigned downs = 0;  ///< those among them that take an interface down
    int no_features = 0; ///< the errno that asking for offloads ends with; 0: it works

private:
    KernelModel model_;
};

/// The one there is; null between tests.
FakeKernel *&the_kernel();

} // namespace nmib::test
