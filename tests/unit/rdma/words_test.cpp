// SPDX-License-Identifier: LGPL-2.1-or-later
/// The rdma.* words of profiles: values, refusals, files.
#include "apply/rdma/words.hpp"
#include "core/rdma/words.hpp"
#include "make.hpp"
#include "tree.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/stat.h>

namespace nmib
{
namespace
{

using testing::HasSubstr;
using testing::IsEmpty;

const RdmaWord &word_called(std::string_view name) { return *find_rdma_word(name); }

bool takes(std::string_view name, std::string_view value)
{
    RdmaWords words;
    return static_cast<bool>(set(words, word_called(name), value));
}

/// Fails if a sentence of the refusal is not marked for translation, or not translated.
void expect_german(const Message &refusal)
{
    EXPECT_STRNE(test::german(refusal.sentence), refusal.sentence);
    for (const auto &value : refusal.values)
        for (const auto &message : value.message) expect_german(message);
}

TEST(RdmaWords, AcceptAndRefuseValues)
{
    for (const auto &[name, value] : std::initializer_list<std::pair<const char *, const char *>>{
             {"rdma.roce-mode", "v1"},
             {"rdma.roce-mode", "v2"},
             {"rdma.roce-tos", "0"},
             {"rdma.roce-tos", "255"},
             {"rdma.soft-rdma", "rxe"},
             {"rdma.soft-rdma", "none"},
             {"rdma.vf-guids", "auto"},
             {"rdma.vf-guids", "0=0002:c903:000a:0001, 17=0x0002c903000a0002"},
             {"rdma.skip", "yes"}}) {
        EXPECT_TRUE(takes(name, value)) << name << " " << value;
        EXPECT_TRUE(takes(name, "")) << name;
    }
    for (const auto &[name, value] : std::initializer_list<std::pair<const char *, const char *>>{
             {"rdma.roce-mode", "V1"},
             {"rdma.roce-mode", "RoCE v2"},
             {"rdma.roce-tos", "256"},
             {"rdma.roce-tos", "-1"},
             {"rdma.roce-tos", "1 2"},
             {"rdma.vf-guids", "0=0002:c903:000a:0001,\n1=0002:c903:000a:0002"},
             {"rdma.soft-rdma", "roce"},
             {"rdma.vf-guids", "0"},
             {"rdma.vf-guids", "0=0"},
             {"rdma.vf-guids", "0=0000:0000:0000:0000"},
             {"rdma.vf-guids", "65535=0002:c903:000a:0001"},
             {"rdma.vf-guids", "0=0002:c903:000a:0001,0=0002:c903:000a:0002"},
             {"rdma.vf-guids", "auto,0=0002:c903:000a:0001"},
             {"rdma.vf-guids", "0=0002:c903:000a:0001,"},
             {"rdma.vf-guids", ",0=0002:c903:000a:0001"},
             {"rdma.vf-guids", "0=0002:c903:000a:0001,1=00:02:c9:03:00:0a:00:01"},
             {"rdma.skip", "perhaps"}}) {
        RdmaWords words;
        const auto r = set(words, word_called(name), value);
        ASSERT_FALSE(r) << name << " " << value;
        EXPECT_THAT(r.error().text(), HasSubstr(name));
        EXPECT_EQ(r.error().text().find('\n'), std::string::npos);
        expect_german(r.error());
    }
    EXPECT_EQ(find_rdma_word("rdma.roce"), nullptr);
}

TEST(RdmaWords, RefusalsAreShownInGerman)
{
    RdmaWords words;
    EXPECT_EQ(set(words, word_called("rdma.roce-mode"), "v9").error().text(test::german),
              "rdma.roce-mode: »v9« ist nicht gültig; gültig: v1 oder v2, oder \"\", um das Wort zu entfernen");
    EXPECT_EQ(refusal(word_called("rdma.roce-mode"), "infiniband")->text(test::german),
              "rdma.roce-mode: Ein InfiniBand-Port hat kein RoCE; verwenden Sie das Wort in einem Ethernet-Profil");
}

TEST(RdmaWords, TextIsReadBack)
{
    RdmaWords words;
    ASSERT_TRUE(set(words, word_called("rdma.roce-tos"), "7"));
    ASSERT_TRUE(set(words, word_called("rdma.vf-guids"), "1=0002c903000a0001,0=0002c903000a0002"));
    EXPECT_EQ(text(words), "roce-tos=7\nvf-guids=0=0002:c903:000a:0002,1=0002:c903:000a:0001\n");
    EXPECT_TRUE(takes("rdma.vf-guids", "0=00:02:c9:03:00:0a:00:02,1=00:02:c9:03:00:0a:00:01"));
}

TEST(RdmaWords, FileIsReadLineByLine)
{
    const auto read = parse_rdma_words("# a comment\n\n roce-mode = v1 \r\nsoft-rdma=rxe\nroce-mode=v2\nskip=yes");
    EXPECT_EQ(text(read.words), "roce-mode=v2\nsoft-rdma=rxe\nskip=yes\n");
    EXPECT_THAT(read.bad, IsEmpty());
    for (const auto &[line, why] : std::initializer_list<std::pair<std::string, const char *>>{
             {"roce-mode=v3", "rdma.roce-mode: 'v3' is not valid"},
             {"roce-mode", "'roce-mode' is not an rdma.* word with a value"},
             {"rdma.roce-mode=v1", "'rdma.roce-mode=v1' is not an rdma.* word"},
             {"[user]", "'[user]' is not an rdma.* word"},
             {std::string("a\0=\xff\x1b", 5), "is not an rdma.* word"}}) {
        const auto some = parse_rdma_words(line + "\nroce-tos=7\n");
        ASSERT_EQ(some.bad.size(), 1U) << line;
        EXPECT_THAT(some.bad[0].text(), HasSubstr(why));
        expect_german(some.bad[0]);
        EXPECT_EQ(some.words.roce_tos, 7U) << "the other lines count";
    }
}

TEST(RdmaWords, EachProfileHasItsOwnFile)
{
    const test::Tree tree;
    const auto directory = tree.path() + "/profiles";
    const std::string uuid = "0b5cf6b1-9e6c-4b6c-a8ad-1d1f6f6c0a11";
    const auto read = [&](const std::string &of) { return read_rdma_words(directory, of); };
    ASSERT_TRUE(write_rdma_words(directory, uuid, {})) << "nothing to remove";
    EXPECT_EQ(read(uuid)->words, RdmaWords{});
    const RdmaValues values = {{"vf-guids", "0=0002:c903:000a:0001"}, {"skip", "yes"}};
    ASSERT_TRUE(write_rdma_words(directory, uuid, values));
    EXPECT_EQ(read(uuid)->values, values);
    EXPECT_EQ(text(read(uuid)->words), "vf-guids=0=0002:c903:000a:0001\nskip=yes\n");
    EXPECT_THAT(read(uuid)->bad, IsEmpty());
    for (const auto *other : {"", ".", "..", "../profiles/0b5cf6b1-9e6c-4b6c-a8ad-1d1f6f6c0a11", "other"}) {
        ASSERT_TRUE(read(other)) << other;
        EXPECT_EQ(read(other)->words, RdmaWords{}) << other;
    }
    ASSERT_EQ(::chmod((directory + "/" + uuid).c_str(), 0666), 0);
    EXPECT_FALSE(read(uuid)) << "whoever can write there decides what root does";
    ASSERT_TRUE(write_rdma_words(directory, uuid, {}));
    EXPECT_EQ(read(uuid)->words, RdmaWords{});
    EXPECT_THAT(*Dir::open(directory)->list(), IsEmpty());
}

TEST(RdmaWords, WordsFitOnlyTheirConnectionTypes)
{
    const auto fits = [](std::string_view name, std::string_view type) {
        const auto why = refusal(word_called(name), type);
        if (why) expect_german(*why);
        return !why;
    };
    EXPECT_TRUE(fits("rdma.roce-mode", "802-3-ethernet") && fits("rdma.roce-mode", "vlan") &&
                fits("rdma.roce-mode", "bond"));
    EXPECT_FALSE(fits("rdma.roce-mode", "infiniband") || fits("rdma.roce-mode", "wifi"));
    EXPECT_FALSE(fits("rdma.soft-rdma", "vlan") || fits("rdma.soft-rdma", "infiniband"));
    const auto on_bond = refusal(word_called("rdma.soft-rdma"), "802-3-ethernet", "bond");
    ASSERT_TRUE(on_bond);
    EXPECT_THAT(on_bond->text(), HasSubstr("profile of the bond"));
    expect_german(*on_bond);
    expect_german(private_profile_refusal());
    EXPECT_FALSE(refusal(word_called("rdma.roce-mode"), "802-3-ethernet", "bond"));
    EXPECT_TRUE(fits("rdma.vf-guids", "infiniband") && fits("rdma.skip", "infiniband"));
    EXPECT_FALSE(fits("rdma.vf-guids", "802-3-ethernet"));
}

} // namespace
} // namespace nmib
