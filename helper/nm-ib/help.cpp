// SPDX-License-Identifier: LGPL-2.1-or-later
#include "nm-ib/help.hpp"

#include "config.h"
#include "core/base/message.hpp"
#include "core/rdma/words.hpp"
#include "nm/nmcli.hpp"
#include "terminal/table.hpp"

#include <algorithm>
#include <cstdio>

namespace nmib::cli
{

namespace
{

constexpr const char *saving = N_("nm-ib: more for InfiniBand profiles\n"
                                  "  --with-parent   add a profile for the parent of a P_Key if none exists\n"
                                  "  --strict        save nothing if there is a warning\n"
                                  "  infiniband.mac-address also takes a port GUID. nm-ib sets parent and\n"
                                  "  interface-name to match a P_Key.\n"
                                  "For these and other profiles: settings of the RDMA device\n"
                                  "{}; \"\" removes the word\n");

/// Returns a word and its help: beside the word, or below a long word.
std::string row(const std::string &word, const char *help)
{
    constexpr std::size_t column = 24;
    const auto start = "  " + word;
    return start.size() + 2 > column ? start + "\n" + folded("", _(help), column) : folded(start, _(help), column);
}

/// Folds like folded(), but not at '\1', which becomes a blank.
std::string folded_at_blanks(const std::string &start, std::string_view text, std::size_t indent)
{
    auto all = folded(start, text, indent);
    std::replace(all.begin(), all.end(), '\1', ' ');
    return all;
}

/// The words and their values, as lines without the last line's end.
std::string rdma_words()
{
    std::string text;
    for (const auto &word : all_rdma_words)
        text += (text.empty() ? "" : ", ") + std::string(word.name) + '\1' + std::string(word.form);
    text = folded_at_blanks("", text, 2);
    text.pop_back();
    return text;
}

/// Breaks no line between an option and its value.
std::string usage(const Command &command, const std::string &start)
{
    constexpr std::size_t indent = 11;
    auto text = synopsis(command);
    bool inside = false;
    for (auto &c : text) {
        inside = c == '[' || (inside && c != ']');
        if (c == ' ' && inside) c = '\1';
    }
    text.erase(0, text.find(' ') + 1);
    return folded_at_blanks(padded(start, indent - 4) + "nm-ib ", text, indent);
}

std::string own_page()
{
    std::string s = form("Usage: {}", "nm-ib [OPTIONS] COMMAND ...") + "\n\n";
    for (const auto &c : all_commands()) {
        auto start = std::string(c.object) + (*c.verb ? " " : "") + c.verb;
        if (*c.operands && std::string_view(c.object) != "host") start += std::string(" ") + c.operands;
        s += row(start, c.help);
    }
    s += row("connection add|modify", N_("as in nmcli, with the additions for InfiniBand; for "
                                         "--strict and --with-parent: nm-ib connection add help"));
    return s + "\n" +
           folded("",
                  _("nm-ib passes all other commands to nmcli. For help on a COMMAND: nm-ib "
                    "COMMAND help. See also nm-ib(1)."),
                  0);
}

std::string theirs(const Words &words)
{
    const auto run = run_nmcli(words);
    return run ? run->out + run->err + "\n" : ""; // already in the locale's encoding
}
} // namespace

Status print_help()
{
    print(own_page());
    const auto page = theirs({"help"});
    if (!page.empty()) std::fputs(("\n" + page).c_str(), stdout);
    return {};
}

Status print_help(const char *saving_verb)
{
    if (!find_nmcli()) return no_nmcli();
    std::fputs(theirs({"connection", saving_verb, "help"}).c_str(), stdout);
    print(message(translate, saving, rdma_words()));
    return {};
}

Status print_help(std::string_view object, const Command *only)
{
    std::string usages, rows, options;
    std::map<std::string, const CommandOption *> listed;
    for (const auto &c : all_commands()) {
        if (c.object != object || (only && &c != only)) continue;
        usages += usage(c, usages.empty() ? form("Usage: {}", "") : "");
        rows += *c.verb ? row(c.verb, c.help) : folded("", _(c.help), 2);
        for (const auto &o : c.options)
            if (listed.emplace(o.word, &o).second)
                options += row(o.value ? std::string(o.word) + " " + o.value : o.word, o.help);
    }
    const auto &page = page_of(object);
    const auto last = std::string(_(page.text)) + " " + form("See also {}.", page.manual);
    print(usages + "\n" + rows + (options.empty() ? "" : "\n" + options) + "\n" + folded("", last, 0));
    return {};
}

Status print_version()
{
    const auto run = run_nmcli({"--version"});
    if (!run) return run.error();
    print(run->out + "nm-ib " NMIB_VERSION "\n");
    return {};
}

} // namespace nmib::cli
