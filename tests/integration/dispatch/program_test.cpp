// SPDX-License-Identifier: LGPL-2.1-or-later
// The installed programs, as NetworkManager's dispatcher and the unit of a device start them: arguments, environment,
// exit status, and the lines of the log with their levels. /sys, /run, /etc and the helper's directory are a tree.
#include "config.h"
#include "netns.hpp"
#include "tree.hpp"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <functional>
#include <gmock/gmock.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sstream>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

namespace nmib
{
namespace
{

using testing::StartsWith;

std::string dispatcher, entry; // paths of the programs

struct Ran {
    int status = -1; ///< exit status, or 1000 and the signal
    std::string out{}, err{};
};

/// Makes a system call end with the action, here and in later programs. `argument`: only with this first argument.
void filter(long number, std::optional<unsigned> argument, unsigned action)
{
    std::array<sock_filter, 6> all{
        {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
         BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<unsigned>(number), 0, 3),
         BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args)),
         BPF_JUMP(BPF_JMP | (argument ? BPF_JEQ : BPF_JGE) | BPF_K, argument.value_or(0), 0, 1),
         BPF_STMT(BPF_RET | BPF_K, action), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)}};
    const sock_fprog program{all.size(), all.data()};
    if (::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) ::_exit(254);
}

/// Root without the capability to ignore permissions, also in later programs; like a denial by SELinux.
void obey_permissions()
{
    for (const int capability : {CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH})
        if (::prctl(PR_CAPBSET_DROP, capability) != 0) ::_exit(254);
}

struct ProgramTest : test::NetNs {
    test::Tree tree;
    int eth0 = 0;
    const std::string state = std::string(NMIB_STATE).substr(1), words = std::string(NMIB_WORDS).substr(1),
                      conf = std::string(NMIB_CONF).substr(1);

    void SetUp() override
    {
        NetNs::SetUp();
        if (IsSkipped()) return;
        eth0 = add("eth0", "veth");
        ASSERT_NE(eth0, 0);
        for (const auto *dir : {"sys/class/net", "run/NetworkManager", "etc", "libexec"}) tree.dir(dir);
        tree.file("sys/class/net/eth0/ifindex", std::to_string(eth0) + "\n");
        tree.file("sys/class/net/eth0/type", "1\n");
        tree.file("etc/eth0.nmconnection", "[connection]\nid=office\ntype=802-3-ethernet\n", 0600);
    }

    /// `first` runs in the new process, before the program.
    Ran run(
        const std::string &program, const std::vector<std::string> &arguments,
        const std::vector<std::string> &environment = {}, const std::function<void()> &first = [] {}) const
    {
        std::vector<const char *> argv{program.c_str()};
        for (const auto &a : arguments) argv.push_back(a.c_str());
        argv.push_back(nullptr);
        const pid_t pid = ::fork();
        if (pid == 0) start(argv, environment, first);
        int status = 0;
        ::waitpid(pid, &status, 0);
        return {WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status), tree.content("out"),
                tree.content("err")};
    }
    Ran dispatch(
        const std::vector<std::string> &arguments, const std::function<void()> &first = [] {}) const
    {
        return run(dispatcher, arguments,
                   {"CONNECTION_UUID=u-1", "CONNECTION_ID=office", "CONNECTION_FILENAME=/etc/eth0.nmconnection"},
                   first);
    }

private:
    [[noreturn]] void start(const std::vector<const char *> &argv, const std::vector<std::string> &environment,
                            const std::function<void()> &first) const
    {
        const auto libexec = split_path(split_path(NMIB_HELPER).first).first;
        bool good = ::unshare(CLONE_NEWNS) == 0 && ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
        for (const auto *name : {"out", "err"}) tree.file(name, "");
        ::dup2(::open(tree.path("out").c_str(), O_WRONLY | O_APPEND | O_CLOEXEC), STDOUT_FILENO);
        ::dup2(::open(tree.path("err").c_str(), O_WRONLY | O_APPEND | O_CLOEXEC), STDERR_FILENO);
        for (const auto &[from, to] :
             {std::pair("sys", std::string("/sys")), {"run", "/run"}, {"etc", "/etc"}, {"libexec", libexec}})
            good = good && ::mount(tree.path(from).c_str(), to.c_str(), nullptr, MS_BIND, nullptr) == 0;
        if (!good) ::_exit(253);
        for (const auto &e : environment) ::putenv(const_cast<char *>(e.c_str()));
        first();
        ::execv(argv[0], const_cast<char **>(argv.data()));
        ::_exit(252);
    }
};

TEST_F(ProgramTest, HelpAndVersionArePrinted)
{
    auto ran = run(dispatcher, {"--help"});
    EXPECT_EQ(ran.status, 0);
    EXPECT_EQ(ran.out, "usage: nm-ib-dispatcher INTERFACE ACTION\nCalled by NetworkManager's dispatcher; see "
                       "nm-ib-dispatcher(8).\n");
    ran = run(dispatcher, {"--version"});
    EXPECT_EQ(ran.status, 0);
    EXPECT_EQ(ran.out, "nm-ib-dispatcher " NMIB_VERSION "\n");
    EXPECT_EQ(ran.err, "");
}

TEST_F(ProgramTest, InvalidCallIsAnErrorAndStatusTwo)
{
    for (const auto &arguments : std::vector<std::vector<std::string>>{
             {}, {"eth0"}, {"--version", "up", "x"}, {"--rdma-device"}, {"--rdma-device", "mlx5_0", "x"}}) {
        const auto ran = run(dispatcher, arguments);
        EXPECT_EQ(ran.status, 2);
        EXPECT_EQ(ran.err, "<3>nm-ib: usage: nm-ib-dispatcher INTERFACE ACTION (NetworkManager's dispatcher calls "
                           "it)\n");
        EXPECT_EQ(ran.out, "");
    }
    EXPECT_EQ(dispatch({"a/b", "up"}).err, "<3>nm-ib: 'a/b' is not an interface name\n");
    EXPECT_EQ(dispatch({"--help", "up"}).err, "");
}

TEST_F(ProgramTest, IrrelevantEventIsSilent)
{
    tree.file(conf, "[main]\nlog-level=debug\n");
    const auto silent = [&](const std::vector<std::string> &arguments, const char *variable = "X=") {
        const auto ran = run(dispatcher, arguments, {variable});
        return ran.status == 0 && ran.out + ran.err == "";
    };
    for (const auto *action : {"vpn-up", "vpn-down", "pre-down", "dhcp4-change", "hostname", ""})
        EXPECT_TRUE(silent({"eth0", action})) << action;
    EXPECT_TRUE(silent({"none", "up"}) && silent({"", "up"}));
    EXPECT_TRUE(silent({"eth0", "up"}, "CONNECTION_EXTERNAL=1"));
    EXPECT_FALSE(silent({"eth0", "up"}, "CONNECTION_EXTERNAL=0"));
}

TEST_F(ProgramTest, EachLevelHasItsPrefixUnlessOnATerminal)
{
    tree.file(conf, "[main]\nlog-level=debug\n");
    tree.file(words + "/u-1", "roce-mode=v1\nroce-tos=256\n", 0600);
    const std::string lines[] = {
        "nm-ib: eth0: profile 'office': rdma.roce-tos: '256' is not valid; valid: a number from 0 to 255, or \"\" to "
        "remove the word\n",
        "nm-ib: eth0: rdma.roce-mode waits: no RDMA device is on the interface yet\n",
        "nm-ib: eth0: not an InfiniBand interface, or does not exist\n"};
    const auto ran = dispatch({"eth0", "up"});
    EXPECT_EQ(ran.status, 0);
    EXPECT_EQ(ran.err, "<4>" + lines[0] + "<6>" + lines[1] + "<7>" + lines[2]);
    EXPECT_EQ(ran.out, "");
    tree.file(words + "/u-1", "roce-mode=v1\n", 0666);
    EXPECT_THAT(dispatch({"eth0", "up"}).err, StartsWith("<3>nm-ib: eth0: rdma.* words of profile 'office' cannot be "
                                                         "read, ignoring: "));
    const UniqueFd terminal(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC));
    ASSERT_TRUE(terminal && ::grantpt(terminal.get()) == 0 && ::unlockpt(terminal.get()) == 0);
    const UniqueFd other(::open(::ptsname(terminal.get()), O_RDWR | O_NOCTTY | O_CLOEXEC));
    EXPECT_EQ(dispatch({"eth0", "down"}, [&] { ::dup2(other.get(), STDERR_FILENO); }).status, 0);
    std::array<char, 200> text{};
    const auto n = ::read(terminal.get(), text.data(), text.size());
    EXPECT_EQ(std::string(text.data(), static_cast<std::size_t>(n)), lines[2].substr(0, lines[2].size() - 1) + "\r\n");
}

TEST_F(ProgramTest, DeniedFileIsReportedWithSelinuxIfItEnforces)
{
    tree.file(words + "/u-1", "roce-mode=v1\n", 0000);
    const std::string denied = "<3>nm-ib: eth0: rdma.* words of profile 'office' cannot be read, ignoring: " NMIB_WORDS
                               "/u-1: Permission denied";
    EXPECT_EQ(dispatch({"eth0", "up"}).err, denied + "\n") << "root has no other capability than CAP_NET_ADMIN";
    tree.file("sys/fs/selinux/enforce", "1");
    EXPECT_EQ(dispatch({"eth0", "up"}).err,
              denied + " (SELinux enforces its policy; to check the labels: nm-ib doctor)\n");
    tree.file(words + "/u-1", "roce-mode=v1\n", 0600);
    EXPECT_EQ(dispatch({"eth0", "up"}).err,
              "<6>nm-ib: eth0: rdma.roce-mode waits: no RDMA device is on the interface yet\n");
}

TEST_F(ProgramTest, FailedConfinementIsAWarning)
{
    tree.file(words + "/u-1", "roce-mode=v1\n", 0600);
    const std::string rest = "<6>nm-ib: eth0: rdma.roce-mode waits: no RDMA device is on the interface yet\n";
    const auto denied = SECCOMP_RET_ERRNO | EPERM;
    EXPECT_EQ(dispatch({"eth0", "up"}, [=] { filter(SYS_prctl, PR_SET_NO_NEW_PRIVS, denied); }).err,
              "<4>nm-ib: confinement: no_new_privs: Operation not permitted\n" + rest);
    EXPECT_EQ(dispatch({"eth0", "up"}, [=] { filter(SYS_capset, {}, denied); }).err,
              "<4>nm-ib: confinement: capabilities: Operation not permitted\n" + rest);
    EXPECT_EQ(dispatch({"eth0", "up"}).err, rest);
}

TEST_F(ProgramTest, DeviceOfAnInterfaceGetsItsWords)
{
    const auto kept = state + "/rdma-" + std::to_string(eth0);
    tree.file(kept, "link eth0\nprofile office\nroce-mode=v1\n");
    const std::string port = "sys/class/infiniband/mlx5_0/ports/1/";
    tree.file("sys/class/infiniband/mlx5_0/node_type", "1: CA\n");
    tree.file(port + "link_layer", "Ethernet\n");
    tree.file(port + "gid_attrs/ndevs/0", "eth0\n");
    tree.file(port + "gid_attrs/types/0", "RoCE v2\n");
    tree.file("sys/module/x", ""); // without rdma_cm
    const std::string line = "<4>nm-ib: eth0: rdma.roce-mode cannot be set on mlx5_0/1: the module rdma_cm is not "
                             "loaded (modprobe rdma_ucm)\n";
    for (const auto *device : {"mlx5_0", "devices/pci0000:00/0000:01:00.0/infiniband/mlx5_0"}) {
        const auto ran = run(dispatcher, {"--rdma-device", device});
        EXPECT_EQ(ran.status, 0);
        EXPECT_EQ(ran.err, line);
    }
    EXPECT_EQ(run(dispatcher, {"--rdma-device", "mlx5_1"}).err, "");
}

#ifdef SYS_alarm
TEST_F(ProgramTest, DeadlineIsShortWhileNetworkManagerWaits)
{
    const auto sets = [&](const std::vector<std::string> &arguments, unsigned seconds) {
        return dispatch(arguments, [=] { filter(SYS_alarm, seconds, SECCOMP_RET_KILL_PROCESS); }).status ==
               1000 + SIGSYS;
    };
    EXPECT_TRUE(sets({"eth0", "pre-up"}, 5));
    EXPECT_TRUE(sets({"eth0", "up"}, 30));
    EXPECT_TRUE(sets({"--rdma-device", "mlx5_0"}, 30));
    EXPECT_FALSE(sets({"eth0", "pre-up"}, 30) || sets({"eth0", "up"}, 5));
}
#endif

// dispatcher.d/10-nm-ib, with a script as nm-ib-dispatcher.

struct EntryTest : ProgramTest {
    const std::string helper = std::string("libexec/nm-infiniband/nm-ib-dispatcher");
    void SetUp() override
    {
        ProgramTest::SetUp();
        tree.file(helper, "#!/bin/sh\necho \"$@\"\nexit 7\n", 0755);
        tree.file("sys/class/net/ib0/type", "32\n");
    }
    /// Returns true if the helper runs, with these arguments.
    bool runs(
        const std::vector<std::string> &arguments,
        const std::string &variable = "X=", const std::function<void()> &first = [] {}) const
    {
        const auto ran = run(entry, arguments, {variable}, first);
        std::string line;
        for (const auto &a : arguments) line += (line.empty() ? "" : " ") + a;
        EXPECT_TRUE(ran.status == 0 ? ran.out.empty() : ran.status == 7 && ran.out == line + "\n")
            << line << ": " << ran.status << ran.out;
        EXPECT_EQ(ran.err, "");
        return ran.status == 7;
    }
};

TEST_F(EntryTest, HelperRunsForEventsOfInfinibandInterfaces)
{
    for (const auto *action : {"pre-up", "up", "reapply", "down"}) {
        EXPECT_TRUE(runs({"ib0", action})) << action;
        EXPECT_TRUE(runs({"ib0", action}, "CONNECTION_EXTERNAL=0")) << action;
        EXPECT_FALSE(runs({"ib0", action}, "CONNECTION_EXTERNAL=1")) << action;
        EXPECT_FALSE(runs({"eth0", action})) << action;
        EXPECT_FALSE(runs({"missing", action})) << action;
    }
    for (const auto *action : {"pre-down", "vpn-up", "dhcp4-change", ""}) EXPECT_FALSE(runs({"ib0", action})) << action;
    EXPECT_TRUE(runs({"ib0", "up"}, "X=", [] { ::close(STDIN_FILENO); }));
    for (const auto *type : {"", "32", "321\n", "3\n"}) {
        tree.file("sys/class/net/ib0/type", type);
        EXPECT_FALSE(runs({"ib0", "up"})) << type;
    }
}

TEST_F(EntryTest, InvalidCallIsTheHelpersToReport)
{
    EXPECT_TRUE(runs({}) && runs({"ib0"}) && runs({"eth0", "up", "x"}));
}

TEST_F(EntryTest, HelperRunsForInterfacesWithWords)
{
    const auto all = {"pre-up", "up", "reapply", "down"};
    const auto runs_for = [&](const std::string &variable) {
        std::string actions;
        for (const auto *action : all)
            if (runs({"eth0", action}, variable)) actions += std::string(action) + " ";
        return actions;
    };
    tree.file(words + "/u-1", "");
    EXPECT_EQ(runs_for("CONNECTION_UUID=u-1"), "up reapply ");
    for (const auto *uuid : {"CONNECTION_UUID=u-2", "CONNECTION_UUID=", "X="}) EXPECT_EQ(runs_for(uuid), "") << uuid;
    for (const auto *other : {"rdma.lock", "mtu-ib0", "xrdma-9"}) tree.file(state + "/" + other, "");
    EXPECT_EQ(runs_for("X="), "");
    tree.file(state + "/rdma-9", "");
    EXPECT_EQ(runs_for("X="), "up reapply down ") << "values of a gone interface are to be restored";
    tree.file(state + "/z", "");
    EXPECT_EQ(runs_for("X="), "up reapply down ");
}

/// A path that is cut off at the end of the buffer is another file's.
TEST_F(EntryTest, LongNamesAreNotCutOff)
{
    constexpr std::size_t buffer = 300;
    const std::string part(200, 'a');
    const auto cut = [&](const std::string &before, const std::string &after) {
        return part + "/" + std::string(buffer - before.size() - after.size() - part.size() - 1, 'b');
    };
    const auto name = cut("/sys/class/net/", "/type"), uuid = cut(NMIB_WORDS "/", "");
    tree.file("sys/class/net/" + name + "/typ", "32\n");
    tree.file(words + "/" + uuid.substr(0, uuid.size() - 1), "");
    EXPECT_FALSE(runs({name, "up"}));
    EXPECT_FALSE(runs({"eth0", "up"}, "CONNECTION_UUID=" + uuid));
    const auto shorter = name.substr(0, name.size() - 1);
    tree.file("sys/class/net/" + shorter + "/type", "32\n");
    EXPECT_TRUE(runs({shorter, "up"}));
    EXPECT_TRUE(runs({"eth0", "up"}, "CONNECTION_UUID=" + uuid.substr(0, uuid.size() - 1)));
}

TEST_F(EntryTest, DeniedTypeIsReportedAtUpOnly)
{
    tree.file("sys/class/net/ib0/type", "32\n", 0000);
    const auto error = [&](const char *name, const char *action) {
        const auto ran = run(entry, {name, action}, {}, obey_permissions);
        EXPECT_EQ(ran.status, 0);
        EXPECT_EQ(ran.out, "");
        return ran.err;
    };
    EXPECT_EQ(error("ib0", "up"), "<3>nm-ib: ib0: the interface's type in sysfs cannot be read, skipping; to check the "
                                  "SELinux label of " NMIB_DISPATCHER ": nm-ib doctor\n");
    for (const auto *action : {"pre-up", "reapply", "down"}) EXPECT_EQ(error("ib0", action), "");
    EXPECT_EQ(error("eth0", "up"), "");
    EXPECT_EQ(error("missing", "up"), "");
}

TEST_F(EntryTest, WhileASlowHelperRunsNextEventsDoNotWait)
{
    const auto pid = state + "/left-alone";
    tree.file(helper, "#!/bin/sh\necho $$ >>/run/pids\nexec sleep 60 >/dev/null 2>&1\n", 0755);
    EXPECT_EQ(run(entry, {"ib0", "up"}).err, "<4>nm-ib: ib0: this script is not waited for any longer\n");
    const auto slow = tree.content(pid);
    for (const auto *action : {"down", "up"}) {
        const auto ran = run(entry, {"ib0", action});
        EXPECT_EQ(ran.status, 0);
        EXPECT_EQ(ran.err, "") << "it was not waited for";
    }
    EXPECT_EQ(tree.content(pid), slow);
    std::istringstream pids(tree.content("run/pids"));
    for (pid_t process = 0; pids >> process;)
        while (::kill(process, SIGKILL) == 0) ::usleep(10000);
    tree.file(helper, "#!/bin/sh\nexit 7\n", 0755);
    EXPECT_EQ(run(entry, {"ib0", "up"}).status, 7);
}

TEST_F(EntryTest, MissingHelperIsAnErrorAndStatusOne)
{
    tree.remove(helper);
    const auto ran = run(entry, {"ib0", "up"});
    EXPECT_EQ(ran.status, 1);
    EXPECT_EQ(ran.err, "<3>nm-ib: cannot start " NMIB_HELPER ": No such file or directory\n");
}

} // namespace
} // namespace nmib

int main(int argc, char **argv)
{
    testing::InitGoogleTest(&argc, argv);
    if (argc == 3) nmib::dispatcher = argv[1], nmib::entry = argv[2];
    return RUN_ALL_TESTS();
}
