// SPDX-License-Identifier: LGPL-2.1-or-later
/// Replaces rtnetlink and ethtool if linked before probe/: calls of Rtnl and Ethtool reach a KernelModel, the mode a
/// file of a tree. Requests have the bytes that the real kernel would get.
#pragma once
#include "core/rdma/plan.hpp"
#include "kernel_model.hpp"
#include "probe/base/dir.hpp"
#include "probe/base/rtnl.hpp"
#include "tree.hpp"

#include <functional>

namespace nmib::test
{

class FakeKernel
{
public:
    /// @param has_files false: a kernel that only a FakeDaemon uses, without a file for mode, carrier or IPv6 MTU
    FakeKernel(Facts facts, std::map<int, KernelModel::Limits> limits, bool has_files = true);
    ~FakeKernel();
    FakeKernel(const FakeKernel &) = delete;
    FakeKernel &operator=(const FakeKernel &) = delete;

    /// The current kernel, including a mode or an IPv6 MTU that was written to the tree.
    KernelModel &model();
    /// From now on, the tree's files mode, carrier_changes and IPv6 MTU agree with the model after each change().
    void show_files()
    {
        if (files_.empty()) open_files();
        write_files();
    }
    /// Changes the model and the files.
    template<class Change> auto change(const Change &change)
    {
        auto result = change(model());
        write_files();
        return result;
    }
    void write_files();
    /// Starts again with other facts, and without state files.
    void reset(Facts facts, std::map<int, KernelModel::Limits> limits);
    std::string mode_file(const std::string &link) const { return tree.content("class/net/" + link + "/mode"); }

    SysTree tree;
    unsigned writes = 0;                   ///< requests for a change, including refused ones
    unsigned downs = 0;                    ///< changes that take an interface down
    int no_features = 0;                   ///< errno of requests for offloads; 0: success
    int no_answer = 0;                     ///< errno of requests for one interface
    int no_list = 0;                       ///< errno of requests for all interfaces
    int no_change = 0;                     ///< errno of requests for a change
    std::function<void()> at_change{};     ///< called before each change
    std::vector<LinkRow> others{};         ///< interfaces of other types
    std::map<unsigned, VfGuid> vf_guids{}; ///< as requested over rtnetlink

    static std::string ip6_mtu_file(const std::string &link) { return "proc/sys/net/ipv6/conf/" + link + "/mtu"; }

private:
    /// A small file, mapped into memory: the stories read it millions of times.
    class File
    {
    public:
        File() = default;
        File(const File &) = delete;
        File &operator=(const File &) = delete;
        ~File();
        void open(const SysTree &tree, const std::string &where);
        std::string_view content() const { return text_; }
        void write(const std::string &text);
        std::string written{};

    private:
        UniqueFd fd_{};
        char *text_ = nullptr; ///< ends with zeros, as the rest of a mapped page
    };
    struct LinkFiles {
        File mode, ip6, carrier;
    };
    void open_files();
    KernelModel model_;
    bool has_files_;
    std::map<int, LinkFiles> files_{};
};

/// The current instance; null between tests.
FakeKernel *&the_kernel();

} // namespace nmib::test
