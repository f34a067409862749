// SPDX-License-Identifier: LGPL-2.1-or-later
/// Which words are ours, and which are nmcli's.
#include "cli/verb/command.hpp"

#include "cli/daemon/bus.hpp"
#include "cli/draft.hpp"
#include "cli/nmcli/handover.hpp"
#include "cli/prompt.hpp"
#include "cli/verb/complete.hpp"
#include "cli/verb/verbs.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <unistd.h>
#include <utility>

namespace nmib::cli
{

namespace
{
struct Command {
    const char *name;
    Verb *verb; ///< null: nmcli's
    bool offline = false;
};

/// nmcli's words in nmcli's order, which decides what an abbreviation means; then ours.
constexpr Command connection_verbs[] = {
    {"show", show_connection},     {"up", nullptr},   {"down", nullptr},
    {"add", add_connection, true}, {"edit", nullptr}, {"delete", nullptr},
    {"reload", nullptr},           {"load", nullptr}, {"modify", modify_connection, true}};
constexpr Command own_verbs[] = {{"plan", plan_machine}, {"apply", apply_now}, {"name", name_ports}};
constexpr const char *objects[] = {"general", "monitor", "networking", "radio", "connection", "device", "agent"};

Verb *find_verb(std::span<const Command> commands, const std::string &word, const Options &options)
{
    for (const auto &c : commands)
        if (begins(word, c.name)) return options.offline && !c.offline ? nullptr : c.verb;
    return nullptr;
}

/// The verb these words mean, and the words behind it; null when it is nmcli's.
Verb *choose_verb(Invocation &in)
{
    if (in.args.empty()) return nullptr;
    const auto object = in.args.take();
    const char *known = nullptr;
    for (const auto *o : objects)
        if (!known && begins(object, o)) known = o;
    if (!known && !in.options.offline)
        for (const auto &c : own_verbs)
            if (begins(object, c.name)) return c.verb;
    if (!known || std::strcmp(known, "connection") != 0) return nullptr;
    skip_options(in.args, in.options);
    in.is_agent = in.options.ask;
    if (in.args.empty()) return nullptr;
    auto *verb = find_verb(connection_verbs, in.args.front(), in.options);
    if (verb && is_help(in.args.second())) return nullptr;
    in.args.skip();
    if (verb != show_connection) skip_options(in.args, in.options); // which has options of its own among them
    return verb;
}

/// What nmcli does not have, wherever in the command it stands.
struct OwnWords {
    bool verb, strict, with_parent;
    explicit operator bool() const noexcept { return verb || strict || with_parent; }
};

bool is_own(Verb *verb)
{
    return std::any_of(std::begin(own_verbs), std::end(own_verbs), [&](const Command &c) { return c.verb == verb; });
}

OwnWords own_words(Verb *verb, const Invocation &in)
{
    return {is_own(verb), in.options.strict || in.args.has("--strict"),
            in.options.with_parent || in.args.has("--with-parent")};
}

/// Where they would mean nothing.
std::optional<Failure> misplaced(const OwnWords &own, Verb *verb, const Options &options)
{
    if ((own.strict || own.with_parent) && verb != add_connection && verb != modify_connection)
        return Failure{exit_usage, _("Error: --strict and --with-parent belong to connection add and modify.")};
    if (own.with_parent && options.offline)
        return Failure{exit_usage, _("Error: --with-parent asks NetworkManager, which --offline does without.")};
    return {};
}

/// An nmcli that we do not know shows more, asks more and takes more. What it shows and asks is left to it, and so is
/// what we do not understand or find.
bool is_for_other_nmcli(Verb *verb, const Options &options, const std::optional<Failure> &failure)
{
    if (is_nmcli_known()) return false;
    return verb == show_connection || options.ask ||
           (failure && (failure->code == exit_usage || failure->code == exit_not_found));
}

/// With --ask nmcli is polkit's agent too, which may want a password of whoever is not root.
bool is_for_polkit(const Options &options)
{
    return options.ask && !options.offline && geteuid() != 0 && is_nmcli_installed();
}

/// Ours first; nmcli prints the rest.
int complete_words(int argc, char **argv)
{
    const auto found = complete(Words(argv + 2, argv + argc));
    for (const auto &word : found.words) std::printf("%s\n", word.c_str());
    if (std::fflush(stdout) != 0) return exit_failed;
    return found.nmcli_too ? hand_over(argv) : exit_ok;
}
} // namespace

void tell_of_no_agent(Invocation &in)
{
    if (!std::exchange(in.is_agent, false)) return;
    if (const auto bus = Bus::open(); !bus) // with or without a daemon, --offline too
        complain(strip(form(nm("Warning: polkit agent initialization failed: %s\n"), bus.error().what.c_str())));
}

int run(int argc, char **argv)
{
    Args args(Words(argv + (argc > 0 ? 1 : 0), argv + argc));
    if (!args.empty() && args.front() == "--complete-args") return complete_words(argc, argv);
    auto options = parse_options(args);
    if (!options) return hand_over(argv);
    Invocation in{std::move(args), *options};
    auto *verb = choose_verb(in);
    if (!verb) return hand_over(argv);
    const auto own = own_words(verb, in);
    if (!own && (is_for_other_nmcli(verb, in.options, {}) || is_for_polkit(in.options))) return hand_over(argv);
    auto failure = misplaced(own, verb, in.options);
    if (!failure) failure = verb(in);
    if (failure && (is_to_nmcli(*failure) || (!own && is_for_other_nmcli(verb, in.options, failure))))
        return hand_over(argv, in.input, in.more);
    if (failure) tell_of_no_agent(in);
    for (const auto &line : in.said) say(line);
    const bool printed = std::fflush(stdout) == 0 && !std::ferror(stdout);
    end_reading();
    if (!failure && !printed && own.verb) // to nmcli it is not the command that failed
        failure = Failure{exit_failed, _("Error: the output could not be written.")};
    if (!failure) return exit_ok;
    complain(failure->text);
    return failure->code;
}

} // namespace nmib::cli
