// SPDX-License-Identifier: LGPL-2.1-or-later
/// A machine for the dispatcher helper: an interface with a quirk, its children, profiles, and no real system call that
/// would end or delay the test.
#pragma once
#include "core/base/text.hpp"
#include "dispatch/rdma/handle.hpp"
#include "fake_calls.hpp"
#include "fake_kernel.hpp"
#include "fake_rdma.hpp"
#include "make.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace nmib::test
{

using Line = Lines::value_type;

inline Facts rev_a0_card()
{
    Facts f{{}, {port_link(4, "ib0"), child_link(5, "ib0.8002", 4, 0x8002), child_link(6, "ib0.8003", 4, 0x8003)}};
    for (auto &l : f.links) l.features = {{tso, true, true}};
    return f;
}

struct DispatchWorld : testing::Test {
    FakeKernel kernel{rev_a0_card(), {}};
    const SysTree &tree = kernel.tree;
    FakeRdma rdma{tree};
    RdmaPaths paths{{{tree.path("etc/nm-ib.conf"), tree.path("quirks"), tree.path("etc/quirks.d")},
                     {tree.path(), tree.path("run"), tree.path("devices-of-nm")},
                     tree.path("etc/profiles")},
                    tree.path(),
                    tree.path(),
                    tree.path(FakeRdma::configfs)};
    std::vector<std::string> calls{}; ///< "fork", "setsid", "sleep 8", "alarm 30"
    std::function<void()> asleep{};   ///< runs during each sleep
    FakeCalls::Before deny{};         ///< a hook of the test, before the others
    FakeCalls fake{[&](std::string_view call, const std::string &what) { return before(call, what); },
                   [&](std::string_view call, const std::string &what) { rdma.after(call, what); }};

    DispatchWorld()
    {
        tree.file("quirks/10.conf", "[lso]\nMatchDriver=mlx4_core\nMatchRevision=0xa0\n"
                                    "Feature.tx-tcp-segmentation=off\n");
        tree.dir("run");
    }

    int before(std::string_view call, const std::string &what)
    {
        if (const int answer = deny ? deny(call, what) : pass) return answer;
        if (call == "sleep" && asleep) asleep();
        if (call == "fork" || call == "setsid" || call == "sleep" || call == "alarm") {
            calls.push_back(std::string(call) + (what.empty() ? "" : " " + what));
            return pretend;
        }
        return rdma.before(call, what);
    }

    void conf(const std::string &text) const { tree.file("etc/nm-ib.conf", "[main]\n" + text + "\n"); }
    /// Returns the path of a profile with this text below [infiniband].
    std::string profile(const std::string &text, const std::string &connection = "") const
    {
        tree.file("office.nmconnection",
                  "[connection]\nid=office\nuuid=u-1\ntype=infiniband\ninterface-name=ib0\n" + connection +
                      "\n[infiniband]\ntransport-mode=datagram\n" + text + "\n",
                  0600);
        return tree.path("office.nmconnection");
    }
    void words(const std::string &text, const std::string &uuid = "u-1") const
    {
        tree.file("etc/profiles/" + uuid, text, 0600);
    }
    void note(int ifindex, const std::string &text) const
    {
        tree.file("devices-of-nm/" + std::to_string(ifindex), "[device]\n" + text + "\n");
    }
};

} // namespace nmib::test
