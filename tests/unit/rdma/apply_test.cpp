// SPDX-License-Identifier: LGPL-2.1-or-later
// The steps of a plan on a fake RDMA subsystem: configfs, RDMA netlink, GUIDs.
#include "apply/rdma/words.hpp"
#include "fake_kernel.hpp"
#include "fake_rdma.hpp"
#include "make.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <sys/stat.h>

namespace nmib
{
namespace
{

using namespace test;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct StepTest : testing::Test {
    FakeKernel kernel{{{}, {port_link(4, "ib0")}}, {}};
    const Tree &tree = kernel.tree;
    FakeRdma rdma{tree};
    const std::string folder = tree.path(FakeRdma::configfs);
    FakeCalls::Before deny{};
    FakeCalls fake{[&](std::string_view call, const std::string &what) {
                       const int answer = deny ? deny(call, what) : pass;
                       return answer ? answer : rdma.before(call, what);
                   },
                   [&](std::string_view call, const std::string &what) { rdma.after(call, what); }};

    StepTest() { rdma.add("mlx5_0", "eth0"); }
    std::string at(const std::string &name) const
    {
        return folder + "/mlx5_0" + (name.empty() ? "" : "/ports/1/" + name);
    }
};

TEST_F(StepTest, RoceValuesAreReadThroughAFolderOfTheirOwn)
{
    rdma.devices["mlx5_0"].tos = "255";
    const auto now = read_roce(folder, "mlx5_0", 1);
    ASSERT_TRUE(now) << now.error().what;
    EXPECT_EQ(now->mode, RoceMode::v2);
    EXPECT_EQ(now->tos, 255U);
    EXPECT_FALSE(has_folder(folder, "mlx5_0"));
    rdma.leave_folder("mlx5_0");
    EXPECT_TRUE(read_roce(folder, "mlx5_0", 1));
    EXPECT_TRUE(has_folder(folder, "mlx5_0")) << "another program's folder stays";
    tree.file(std::string(FakeRdma::configfs) + "/mlx5_0/ports/1/default_roce_tos", "256\n");
    tree.file(std::string(FakeRdma::configfs) + "/mlx5_0/ports/1/default_roce_mode", "RoCE v3\n");
    EXPECT_TRUE(read_roce(folder, "mlx5_0", 1)->empty());
    remove_folder(folder, "mlx5_0");
    EXPECT_FALSE(has_folder(folder, "mlx5_0"));
}

TEST_F(StepTest, UnreachableRoceValuesAreErrors)
{
    const auto error = [&](const std::string &device, unsigned port = 1) {
        return read_roce(folder, device, port).error();
    };
    EXPECT_EQ(error("mlx5_9").what, folder + "/mlx5_9: No such device");
    EXPECT_EQ(error("mlx5_9").kind, Error::Kind::absent);
    EXPECT_EQ(error("mlx5_0", 2).what, folder + "/mlx5_0/ports/2: No such file or directory");
    EXPECT_FALSE(rdma.has_folder("mlx5_0")) << "removed in spite of the error";
    for (const auto *name : {"", ".", "..", "a/b", ".hidden"}) {
        EXPECT_EQ(error(name).what, std::string("'") + name + "' is not an RDMA device");
        EXPECT_EQ(error(name).kind, Error::Kind::invalid);
        EXPECT_FALSE(has_folder(folder, name)) << name;
        remove_folder(folder, name);
    }
    EXPECT_EQ(read_roce(folder + "/no", "mlx5_0", 1).error().what, folder + "/no: No such file or directory");
    EXPECT_FALSE(has_folder(folder + "/no", "mlx5_0"));
    remove_folder(folder + "/no", "mlx5_0");
    EXPECT_TRUE(*Dir::open(folder)->exists("."));
}

TEST_F(StepTest, RoceValuesAreWrittenAndReadBack)
{
    std::vector<std::string> written;
    deny = [&](std::string_view call, const std::string &what) {
        if (call == "write" && what.starts_with(folder)) written.push_back(what.substr(what.rfind('/') + 1));
        return pass;
    };
    EXPECT_TRUE(set_roce(folder, {"mlx5_0", 1, {.mode = RoceMode::v1, .tos = 7}}));
    EXPECT_EQ(rdma.roce("mlx5_0"), "IB/RoCE v1 7");
    EXPECT_TRUE(set_roce(folder, {"mlx5_0", 1, {.mode = RoceMode::v2}}));
    EXPECT_TRUE(set_roce(folder, {"mlx5_0", 1, {.tos = 0}}));
    EXPECT_TRUE(set_roce(folder, {"mlx5_0", 1, {}}));
    EXPECT_EQ(rdma.roce("mlx5_0"), "RoCE v2 0");
    EXPECT_THAT(written, ElementsAre("default_roce_mode", "default_roce_tos", "default_roce_mode", "default_roce_tos"));
    EXPECT_FALSE(rdma.has_folder("mlx5_0"));
}

TEST_F(StepTest, RefusedRoceValueIsAnErrorWithFileAndValue)
{
    const SetRoce step{"mlx5_0", 1, {.mode = RoceMode::v1, .tos = 7}};
    deny = fail("write", EINVAL, "default_roce_mode");
    EXPECT_EQ(set_roce(folder, step).error().what, at("default_roce_mode") + ": IB/RoCE v1: Invalid argument");
    EXPECT_EQ(rdma.roce("mlx5_0"), "RoCE v2 0") << "the second value is not tried";
    deny = fail("write", EIO, "default_roce_tos");
    EXPECT_EQ(set_roce(folder, step).error().what, at("default_roce_tos") + ": 7: Input/output error");
    deny = {};
    for (const auto *file : {"default_roce_mode", "default_roce_tos"}) {
        rdma.devices["mlx5_0"] = {};
        rdma.keeps = file;
        const auto r = set_roce(folder, step);
        ASSERT_FALSE(r) << file;
        EXPECT_EQ(r.error().what, "mlx5_0/1: the RoCE values were written, but other values are in effect");
        EXPECT_EQ(r.error().kind, Error::Kind::refused);
    }
    EXPECT_FALSE(rdma.has_folder("mlx5_0"));
}

TEST_F(StepTest, SoftDeviceIsMadeAndRemovedByName)
{
    ASSERT_TRUE(add_soft_rdma({ifname("eth1"), SoftRdma::siw, "siw_eth1"}));
    EXPECT_EQ(rdma.devices["siw_eth1"].type, "siw");
    EXPECT_EQ(rdma.devices["siw_eth1"].netdev, "eth1");
    ASSERT_TRUE(remove_soft_rdma({"siw_eth1"}));
    ASSERT_TRUE(remove_soft_rdma({"siw_eth1"})) << "a missing device";
    EXPECT_THAT(rdma.log, ElementsAre("add siw_eth1", "remove siw_eth1"));
    rdma.no_remove = ENODEV; // between list and request
    EXPECT_TRUE(remove_soft_rdma({"mlx5_0"}));
}

TEST_F(StepTest, RefusedSoftDeviceIsAnErrorWithTheRemedy)
{
    const auto refused = [&](int code, SoftRdma type = SoftRdma::rxe) {
        rdma.no_add = code;
        const auto r = add_soft_rdma({ifname("eth0"), type, "soft0"});
        return r ? "" : r.error().what;
    };
    const std::string head = "RDMA device soft0: ";
    EXPECT_EQ(refused(EEXIST), head + "eth0 already has a device of this type with another name (rdma link)");
    EXPECT_EQ(refused(ENFILE), head + "another interface has a device of that name (rdma link)");
    EXPECT_EQ(refused(EINVAL), head +
                                   "this kernel makes no device of type rxe on eth0 (modprobe rdma_rxe shows whether "
                                   "the kernel has the module)");
    EXPECT_EQ(refused(EINVAL, SoftRdma::siw), head + "this kernel makes no device of type siw on eth0 (modprobe siw "
                                                     "shows whether the kernel has the module)");
    EXPECT_EQ(refused(ENODEV), head + "eth0 no longer exists");
    EXPECT_EQ(refused(EPERM), head + "the kernel makes no device on eth0; for a VLAN, use the VLAN's parent");
    EXPECT_EQ(refused(ENOMEM), head + "cannot be made: Cannot allocate memory");
    EXPECT_EQ(refused(0), "");
    rdma.no_add = EEXIST;
    EXPECT_EQ(add_soft_rdma({ifname("eth0"), SoftRdma::rxe, "soft0"}).error().kind, Error::Kind::refused);
    rdma.no_remove = EBUSY;
    EXPECT_EQ(remove_soft_rdma({"mlx5_0"}).error().what,
              "RDMA device mlx5_0: cannot be removed: Device or resource busy");
    rdma.no_list = EPERM;
    EXPECT_EQ(remove_soft_rdma({"mlx5_0"}).error().what, "list of RDMA devices: Operation not permitted");
    rdma.no_socket = EPROTONOSUPPORT;
    for (const auto &r : {add_soft_rdma({ifname("eth0"), SoftRdma::rxe, "soft0"}), remove_soft_rdma({"mlx5_0"})})
        EXPECT_EQ(r.error().what, "RDMA netlink cannot be opened (modprobe ib_core)");
}

TEST_F(StepTest, BothGuidsOfAFunctionAreSet)
{
    auto rtnl = Rtnl::open();
    const auto sysfs = Dir::open(tree.path());
    const SetVfGuid step{.ifindex = 4, .vf = 3, .to = {Guid{1}, Guid{2}}};
    ASSERT_TRUE(set_vf_guid(*sysfs, *rtnl, step));
    EXPECT_EQ(kernel.vf_guids.at(3), (VfGuid{Guid{1}, Guid{2}}));
    EXPECT_EQ(kernel.writes, 2U);
    kernel.no_change = EINVAL;
    EXPECT_EQ(set_vf_guid(*sysfs, *rtnl, step).error().what, "GUID of virtual function 3: Invalid argument");
    EXPECT_EQ(kernel.writes, 3U) << "the port's GUID is not tried";
}

TEST_F(StepTest, WordsAreWrittenBesideTheProfileOrRemoved)
{
    const auto directory = tree.path("etc/nm/profiles");
    const auto write = [&](const RdmaValues &values) {
        const auto r = write_rdma_words(directory, "u-1", values);
        return r ? "" : r.error().what;
    };
    EXPECT_EQ(write({}), "") << "nothing to remove";
    EXPECT_EQ(write({{"skip", "yes"}}), tree.path("etc/nm") + ": No such file or directory");
    tree.dir("etc");
    EXPECT_EQ(write({{"roce-mode", "v1"}, {"skip", "yes"}}), "");
    EXPECT_EQ(tree.content("etc/nm/profiles/u-1"), "# rdma.* words of the NetworkManager profile with this UUID, see "
                                                   "nm-ib(1). nm-ib connection writes this file, and drops "
                                                   "comments.\nroce-mode=v1\nskip=yes\n");
    tree.file("etc/nm/profiles/.nm-infiniband.99999998", "");
    deny = fail("renameat", EROFS, "/u-1");
    EXPECT_EQ(write({{"skip", "yes"}}), directory + "/u-1: Read-only file system");
    EXPECT_THAT(*Dir::open(directory)->list(), ElementsAre("u-1"));
    deny = fail("unlinkat", EROFS, "/u-1");
    EXPECT_EQ(write({}), directory + "/u-1: Read-only file system");
    EXPECT_EQ(write({}), "");
    EXPECT_THAT(*Dir::open(directory)->list(), IsEmpty());
    tree.remove("etc/nm/profiles");
    tree.file("etc/nm/profiles", "");
    for (const auto &values : {RdmaValues{}, RdmaValues{{"skip", "yes"}}})
        EXPECT_EQ(write(values), directory + ": Not a directory");
    ASSERT_EQ(::chmod(tree.path("etc/nm").c_str(), 0777), 0);
    EXPECT_THAT(write({{"skip", "yes"}}), HasSubstr("users other than root can write there"));
}

} // namespace
} // namespace nmib
