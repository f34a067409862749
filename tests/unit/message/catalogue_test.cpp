// SPDX-License-Identifier: LGPL-2.1-or-later
// The catalogue of messages: one fault has one id, one sentence and one German text.
#include "core/message/catalogue.hpp"
#include "core/message/message.hpp"
#include "make.hpp"

#include <gtest/gtest.h>

#include <set>

namespace nmib
{
namespace
{

/// Returns true if the sentence has no words of its own: the state of a name.
bool is_only_a_value(std::string_view sentence) { return sentence.find(' ') == sentence.npos; }

TEST(Catalogue, OneIdHasOneSentenceAndOneGermanText)
{
    std::set<std::string_view> ids, sentences, translations;
    for (const auto &kinds : catalogue::all)
        for (const auto &kind : kinds) {
            EXPECT_TRUE(ids.insert(kind.id).second) << kind.id;
            EXPECT_EQ(kind.id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-"), kind.id.npos) << kind.id;
            if (is_only_a_value(kind.seen)) continue;
            EXPECT_TRUE(sentences.insert(kind.seen).second) << kind.id << ": " << kind.seen;
            EXPECT_TRUE(translations.insert(test::german(kind.seen)).second) << kind.id << ": " << kind.seen;
        }
    EXPECT_GT(ids.size(), 140U);
    EXPECT_GT(sentences.size() + 5, ids.size());
}

TEST(Catalogue, MessagesAreMarkedAndTranslated)
{
    for (const auto &kinds : catalogue::all)
        for (const auto &kind : kinds)
            for (const auto *text : {kind.seen, kind.why, kind.mend})
                if (*text != '\0' && !is_only_a_value(text)) {
                    EXPECT_STRNE(test::german(text), text) << kind.id;
                }
}

TEST(Message, ValuesArePrintableAndTranslatedOnce)
{
    const Message message{"{a}: {b}",
                          {{"a", std::string("x\n{b}")}, {"b", Message{"inner {c}", {{"c", std::string("1")}}}}}};
    EXPECT_EQ(message.text(), "x\\x0a{b}: inner 1");
    EXPECT_EQ(message.text([](const char *text) { return text[0] == 'i' ? "innen {c}" : text; }), "x\\x0a{b}: innen 1");
}

TEST(Message, UnknownPlaceholderStays)
{
    EXPECT_EQ((Message{"{a} {unknown}", {{"a", std::string("x")}}}).text(), "{a} {unknown}");
    EXPECT_EQ(Message{}.text([](const char *) { return "header"; }), "");
}

} // namespace
} // namespace nmib
