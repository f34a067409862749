// SPDX-License-Identifier: LGPL-2.1-or-later
/// Which words are ours, and which are nmcli's.
#include "cli/verb/command.hpp"

#include "cli/base/gobject.hpp"
#include "cli/nmcli/nmcli.hpp"
#include "cli/verb/complete.hpp"
#include "cli/verb/help.hpp"
#include "cli/verb/verbs.hpp"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <unistd.h>

namespace nmib::cli
{

namespace
{
constexpr int left_to_nmcli = -1;

struct Command {
    const char *name;
    Verb *verb;
};
constexpr Command own_verbs[] = {{"plan", plan_machine}, {"apply", apply_now},         {"name", name_ports},
                                 {"port", show_ports},   {"doctor", diagnose_machine}, {"check", check_peer},
                                 {"host", set_host}};
constexpr Command connection_verbs[] = {
    {"add", add_connection}, {"modify", modify_connection}, {"show", show_connection}};
/// nmcli's words in nmcli's order, which decides what an abbreviation means.
constexpr const char *objects[] = {"general", "monitor", "networking", "radio", "connection", "device", "agent"};
constexpr const char *verbs[] = {"show", "up", "down", "add", "edit", "delete", "reload", "load", "modify"};

/// The name that a word abbreviates, empty when it is none of these.
std::string_view full_name(const std::string &word, Choices names)
{
    const auto found = std::find_if(names.begin(), names.end(), [&](const char *name) { return begins(word, name); });
    return found == names.end() ? std::string_view() : *found;
}

/// The verb these words mean; null when it is nmcli's. `in.args` then stand behind it.
const Command *choose_verb(Invocation &in)
{
    if (in.args.empty()) return nullptr;
    const auto object = full_name(in.args.front(), objects);
    if (object.empty() && !in.options.offline)
        for (const auto &c : own_verbs)
            if (begins(in.args.front(), c.name)) return in.args.skip(), &c;
    if (object != "connection") return nullptr;
    in.args.skip();
    skip_options(in.args, in.options);
    if (in.args.empty()) return nullptr;
    const auto verb = full_name(in.args.front(), verbs);
    for (const auto &c : connection_verbs)
        if (verb == c.name) {
            in.args.skip();
            skip_options(in.args, in.options);
            return &c;
        }
    return nullptr;
}

bool is_own(const Command &command)
{
    return std::any_of(std::begin(own_verbs), std::end(own_verbs), [&](const Command &c) { return &c == &command; });
}

/// nmcli has to go on, and would not understand what is ours.
Failure not_for_nmcli(const Options &options)
{
    if (options.rdma && !options.strict && !options.with_parent)
        return {exit_usage, _("Error: rdma.* words belong to connection add and modify, without --ask, "
                              "connection.secondaries and connection.uuid.")};
    return {exit_usage, _("Error: --strict and --with-parent belong to connection add and modify of InfiniBand "
                          "profiles, without --ask, connection.secondaries and connection.uuid.")};
}

/// Has SIGINT end the command with nmcli's line and exit code (signal_handler, nmcli.c), also in a shell's background.
void end_as_nmcli()
{
    static std::string line; // for a handler, which may allocate nothing
    const auto text = form(nm("Error: nmcli terminated by signal %s (%d)"), strsignal(SIGINT), SIGINT) + "\n";
    const Text local(g_locale_from_utf8(text.c_str(), -1, nullptr, nullptr, nullptr));
    line = local ? local.get() : text;
    struct sigaction action {
    };
    action.sa_handler = [](int number) {
        (void)!::write(STDERR_FILENO, line.data(), line.size());
        ::_exit(128 + number);
    };
    ::sigaction(SIGINT, &action, nullptr);
}

/// What comes of the words; the failure, if any.
std::optional<Failure> carry_out(const Words &words)
{
    if (!words.empty() && is_help(words[0])) return print_help();
    if (!words.empty() && is_option(words[0], "version")) return print_version();
    Args args(words);
    auto options = parse_options(args);
    if (!options) return become_nmcli(words);
    Invocation in{std::move(args), *options, words};
    const bool own = in.options.has_own() || in.args.has("--strict") || in.args.has("--with-parent");
    const auto *command = choose_verb(in);
    if (command && in.args.left() == 1 && wants_help(command->name, in.args.front())) return print_help(command->name);
    const bool shows = command && command->verb == show_connection;
    const bool saves = command && !is_own(*command) && !shows;
    if (own && !saves) return not_for_nmcli(in.options);
    if (in.options.offline && (in.options.with_parent || in.args.has("--with-parent")))
        return Failure{exit_usage, _("Error: --with-parent asks NetworkManager, which --offline does without.")};
    if ((saves || shows) && !in.options.offline) end_as_nmcli();
    auto failure = !command || (saves && in.options.ask) ? to_nmcli() : command->verb(in);
    if (failure && failure->code == left_to_nmcli)
        return own || in.options.has_own() ? not_for_nmcli(in.options) : become_nmcli(words, in.input);
    const bool printed = std::fflush(stdout) == 0 && !std::ferror(stdout);
    if (!failure && !printed && !saves) // to nmcli it is not the command that failed
        return Failure{exit_failed, _("Error: the output could not be written.")};
    return failure;
}
} // namespace

Failure to_nmcli() { return {left_to_nmcli, {}}; }

int run(int argc, char **argv)
{
    const Words words(argv + (argc > 0 ? 1 : 0), argv + argc);
    if (!words.empty() && words[0] == "--complete-args") return print_completion({words.begin() + 1, words.end()});
    const auto failure = carry_out(words);
    std::fflush(stdout);
    if (!failure) return exit_ok;
    if (!failure->text.empty()) complain(failure->text); // else all was printed
    return failure->code;
}

} // namespace nmib::cli
