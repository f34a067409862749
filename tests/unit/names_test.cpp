// SPDX-License-Identifier: LGPL-2.1-or-later
// The names of profiles: what keyfiles say, and that what is kept of it is never believed for longer than it is true.
#include "cli/daemon/keyfiles.hpp"
#include "tree.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <thread>

namespace nmib::cli
{
namespace
{

using testing::Contains;
using testing::IsSupersetOf;
using testing::Not;

class NamesTest : public testing::Test
{
protected:
    static constexpr int many = 60; // worth being kept
    test::Tree tree;
    std::vector<std::string> directories{tree.path("run"), tree.path("etc")};

    static std::string uuid(int n)
    {
        char text[40];
        std::snprintf(text, sizeof text, "00000000-0000-4000-8000-%012d", n);
        return text;
    }
    static std::string keyfile(const std::string &id, int n)
    {
        return "[connection]\nid=" + id + "\nuuid=" + uuid(n) + "\ntype=infiniband\ninterface-name=ib0\n";
    }
    static std::string file(int n) { return "etc/" + std::to_string(n) + ".nmconnection"; }

    void SetUp() override
    {
        for (int n = 0; n < many; n++) tree.file(file(n), keyfile("file-" + std::to_string(n), n));
    }
    std::vector<std::string> ids(const std::string &state = "state") const
    {
        const auto names = scan_names(directories, NameIndex(tree.path(state)));
        std::vector<std::string> out;
        if (names)
            for (const auto &n : *names) out.emplace_back(n.id);
        else
            out.emplace_back("(cannot be read)");
        return out;
    }
    std::string kept() const { return tree.content("state/names"); }
    /// Fresh files are not kept.
    static void grow_old() { std::this_thread::sleep_for(std::chrono::milliseconds(2100)); }
    /// What is kept says kept-1 where the file says file-1: so it shows who was asked.
    void mark_kept() const
    {
        auto text = kept();
        for (auto at = text.find("file-"); at != std::string::npos; at = text.find("file-", at))
            text.replace(at, 4, "kept");
        tree.file("state/names", text, 0600);
    }
};

TEST_F(NamesTest, WhatWasReadIsKeptAndFoundAgain)
{
    EXPECT_THAT(ids(), Contains("file-7"));
    EXPECT_EQ(kept(), ""); // the files are too fresh
    grow_old();
    EXPECT_EQ(ids(), ids("elsewhere"));
    const auto first = kept();
    EXPECT_GT(first.size(), many * 60U);
    EXPECT_EQ(ids(), ids("elsewhere"));
    EXPECT_EQ(kept(), first);
    mark_kept();
    EXPECT_THAT(ids(), Contains("kept-7"));
    const auto names = scan_names(directories, NameIndex(tree.path("state")));
    ASSERT_TRUE(names);
    const auto it = std::find_if(names->begin(), names->end(), [](const Name &n) { return n.id == "kept-7"; });
    ASSERT_NE(it, names->end());
    const auto k = (*it).known();
    EXPECT_EQ(k.uuid, uuid(7));
    EXPECT_EQ(k.interface, "ib0");
    EXPECT_EQ(k.type, "infiniband");
    EXPECT_EQ(k.file, tree.path(file(7)));
}

TEST_F(NamesTest, AFileThatWasTouchedIsReadAgain)
{
    grow_old();
    (void)ids();
    mark_kept();
    tree.file(file(1),
              keyfile("file-1", 1)); // as NetworkManager writes: a new file under the old name, or in its place
    const auto path = tree.path(file(2));
    struct stat before {
    };
    ASSERT_EQ(stat(path.c_str(), &before), 0);
    const int fd = open(path.c_str(), O_WRONLY); // in place, of the same size, with its time put back
    ASSERT_GE(fd, 0);
    const auto text = keyfile("edit-2", 2);
    EXPECT_EQ(write(fd, text.data(), text.size()), static_cast<ssize_t>(text.size()));
    const timespec times[] = {before.st_atim, before.st_mtim};
    EXPECT_EQ(futimens(fd, times), 0);
    close(fd);
    std::filesystem::rename(tree.path(file(3)), tree.path("etc/renamed.nmconnection"));
    std::filesystem::rename(tree.path(file(4)), tree.path(file(5)));
    tree.remove(file(6));
    tree.file("etc/new.nmconnection", keyfile("new", 100));
    tree.file("run/7.nmconnection", keyfile("hides", 7));
    const auto now = ids();
    EXPECT_THAT(now, IsSupersetOf({"file-1", "edit-2", "new", "hides", "kept-8", "kept-59"}));
    for (const char *gone : {"kept-1", "kept-2", "file-2", "kept-5", "file-5", "file-6", "kept-6", "file-7", "kept-7"})
        EXPECT_THAT(now, Not(Contains(gone)));
    EXPECT_EQ(now.size(), many - 2U + 1);
    tree.file(file(8), "[connection]\nid=file-8\n");
    EXPECT_THAT(ids(), Contains("(cannot be read)"));
}

TEST_F(NamesTest, AFewAreNotKept)
{
    for (int n = 20; n < many; n++) tree.remove(file(n));
    grow_old();
    EXPECT_EQ(ids().size(), 20U);
    EXPECT_EQ(kept(), "");
}

TEST_F(NamesTest, WhatIsKeptMayBeSpoilt)
{
    grow_old();
    const auto right = ids();
    const auto good = kept();
    for (std::size_t cut = 0; cut < good.size(); cut += cut < 300 ? 1 : 997) {
        tree.file("state/names", good.substr(0, cut), 0600);
        EXPECT_EQ(ids(), right) << cut;
    }
    for (std::size_t at = 0; at < 14 + 40 + 20; at++) { // title, stamp, lengths
        auto text = good;
        text[at] = static_cast<char>(~text[at]);
        tree.file("state/names", text, 0600);
        EXPECT_EQ(ids().size(), right.size()) << at; // names may be wrong then, nothing worse
    }
    mark_kept();
    const auto marked = kept();
    tree.file("state/names", marked, 0622); // others can write it
    EXPECT_EQ(ids(), right);
    tree.remove("state/names");
    tree.dir("state/names");
    EXPECT_EQ(ids(), right);
}

} // namespace
} // namespace nmib::cli
