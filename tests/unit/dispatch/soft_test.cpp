// SPDX-License-Identifier: LGPL-2.1-or-later
// Software RDMA devices: made, remembered, and removed with their word.
#include "dispatch/rdma_world.hpp"

#include <cerrno>

namespace nmib
{
namespace
{

using namespace test;
using testing::ElementsAre;
using testing::IsEmpty;
using Action = Event::Action;

struct SoftTest : RdmaWorld {
};

TEST_F(SoftTest, SoftDeviceIsMadeOnceAndRemovedWithItsWord)
{
    words("soft-rdma=rxe\n");
    EXPECT_EQ(on(Action::up), note("eth0: RDMA device rxe_eth0 made on eth0 (profile 'office')"));
    EXPECT_EQ(kept(9), "link eth0\nprofile office\nsoft-rdma=rxe\nsoft rxe_eth0\n");
    for (const auto action : {Action::up, Action::down}) EXPECT_THAT(on(action), IsEmpty());
    words("soft-rdma=none\n");
    EXPECT_EQ(on(Action::up), note("eth0: RDMA device rxe_eth0 removed (profile 'office')"));
    EXPECT_THAT(rdma.log, ElementsAre("add rxe_eth0", "remove rxe_eth0"));
    EXPECT_FALSE(has_kept(9)) << "none is no request";
}

TEST_F(SoftTest, FailedSoftDeviceIsNotRemembered)
{
    words("soft-rdma=rxe\n");
    rdma.no_add = EINVAL;
    EXPECT_EQ(on(Action::up), of(Severity::error, "eth0: RDMA device rxe_eth0: this kernel makes no device of type rxe "
                                                  "on eth0 (modprobe rdma_rxe shows whether the kernel has the "
                                                  "module)"));
    EXPECT_EQ(kept(9), "link eth0\nprofile office\nsoft-rdma=rxe\n");
    rdma.no_add = 0;
    (void)on(Action::up);
    words("");
    rdma.no_remove = EBUSY;
    EXPECT_EQ(on(Action::up),
              of(Severity::error, "eth0: RDMA device rxe_eth0: cannot be removed: Device or resource busy"));
    EXPECT_EQ(kept(9), "link eth0\nprofile office\nsoft rxe_eth0\n") << "tried again at the next event";
    rdma.no_remove = 0;
    EXPECT_EQ(on(Action::up).size(), 1U);
    EXPECT_FALSE(has_kept(9));
}

TEST_F(SoftTest, SoftDeviceThatIsGoneIsMadeAgain)
{
    words("soft-rdma=rxe\n");
    (void)on(Action::up);
    rdma.remove("rxe_eth0");
    EXPECT_EQ(on(Action::up).size(), 1U);
    EXPECT_THAT(rdma.log, ElementsAre("add rxe_eth0", "add rxe_eth0"));
    rdma.remove("rxe_eth0");
    words("");
    EXPECT_THAT(on(Action::up), IsEmpty());
    EXPECT_FALSE(has_kept(9));
}

TEST_F(SoftTest, SoftDeviceOfABondStaysAtDownUntilTheBondIsGone)
{
    link(12, "bond0");
    tree.file("class/net/bond0/uevent", "DEVTYPE=bond\n");
    words("soft-rdma=rxe\n");
    (void)on(Action::up, "bond0");
    EXPECT_THAT(on(Action::down, "bond0"), IsEmpty());
    EXPECT_EQ(kept(12), "link bond0\nprofile office\nsoft rxe_bond0\n");
    EXPECT_THAT(rdma.log, ElementsAre("add rxe_bond0"));
    gone(12);
    EXPECT_THAT(on(Action::up, "eth1", "u-2"), IsEmpty());
    EXPECT_FALSE(has_kept(12));
}

} // namespace
} // namespace nmib
