// SPDX-License-Identifier: LGPL-2.1-or-later
#include "probe/plan/state.hpp"

#include "../dispatch/temp_dir.hpp"

#include <csignal>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

using nmib::MarkerRecord;

namespace
{
constexpr MarkerRecord largest{true, 3};
}

TEST(MarkerRecord, TextIsOneLineOfFixedSize)
{
    for (const auto &r : {MarkerRecord{}, largest}) {
        const auto text = r.str();
        EXPECT_EQ(text.size(), MarkerRecord::size);
        EXPECT_EQ(text.find('\n'), MarkerRecord::size - 1);
        const auto back = MarkerRecord::parse(text);
        ASSERT_TRUE(back);
        EXPECT_EQ(back->str(), text);
    }
    EXPECT_EQ(MarkerRecord{}.str()[0], MarkerRecord::mark(false));
    EXPECT_EQ(largest.str()[0], MarkerRecord::mark(true));
}

TEST(MarkerRecord, DamagedRecordIsRefused)
{
    const auto text = MarkerRecord{false, 1}.str();
    const auto used = text.find_last_not_of(" \n") + 1;
    for (std::size_t i = 0; i < used; i++) {
        auto damaged = text;
        damaged[i] = '\0';
        EXPECT_FALSE(MarkerRecord::parse(damaged)) << i;
    }
    EXPECT_FALSE(MarkerRecord::parse(""));
    EXPECT_FALSE(MarkerRecord::parse(text.substr(1)));
    EXPECT_FALSE(MarkerRecord::parse(text + " "));
    EXPECT_FALSE(MarkerRecord::parse(std::string(MarkerRecord::size, '\n')));
}

TEST(PluginInCharge, HoldsWhileTheLockedMarkerIsOpen)
{
    TempDir dir;
    const auto state = nmib::Dir::open(dir.path);
    ASSERT_TRUE(state);
    EXPECT_FALSE(nmib::plugin_in_charge(*state));
    dir.write(MarkerRecord::file, MarkerRecord{}.str());
    EXPECT_FALSE(nmib::plugin_in_charge(*state));
    const auto path = dir / MarkerRecord::file;
    {
        const nmib::UniqueFd fd(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
        ASSERT_TRUE(nmib::take_charge(fd.get()));
        EXPECT_TRUE(nmib::plugin_in_charge(*state));
        const nmib::UniqueFd other(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
        EXPECT_FALSE(nmib::take_charge(other.get()));
    }
    EXPECT_FALSE(nmib::plugin_in_charge(*state));
}

TEST(PluginInCharge, EndsWithTheProcess)
{
    TempDir dir;
    const auto state = *nmib::Dir::open(dir.path);
    dir.write(MarkerRecord::file, MarkerRecord{}.str());
    const auto path = dir / MarkerRecord::file;
    int ready[2];
    ASSERT_EQ(::pipe2(ready, O_CLOEXEC), 0);
    const pid_t pid = ::fork();
    if (pid == 0) {
        const int fd = ::open(path.c_str(), O_WRONLY);
        (void)!::write(ready[1], nmib::take_charge(fd) ? "y" : "n", 1);
        for (;;) ::pause();
    }
    char held = 0;
    ASSERT_EQ(::read(ready[0], &held, 1), 1);
    EXPECT_EQ(held, 'y');
    EXPECT_TRUE(nmib::plugin_in_charge(state));
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
    EXPECT_FALSE(nmib::plugin_in_charge(state));
    for (const int fd : ready) ::close(fd);
}

TEST(PluginInCharge, ReadOnlyDescriptorCannotTakeCharge)
{
    TempDir dir;
    const auto state = *nmib::Dir::open(dir.path);
    dir.write(MarkerRecord::file, MarkerRecord{}.str());
    const nmib::UniqueFd fd(::open((dir / MarkerRecord::file).c_str(), O_RDONLY | O_CLOEXEC));
    EXPECT_FALSE(nmib::take_charge(fd.get()));
    struct flock lock {
    };
    lock.l_type = F_RDLCK;
    ASSERT_EQ(::fcntl(fd.get(), F_OFD_SETLK, &lock), 0);
    EXPECT_FALSE(nmib::plugin_in_charge(state));
}
