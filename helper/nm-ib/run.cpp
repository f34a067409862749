// SPDX-License-Identifier: LGPL-2.1-or-later
#include "nm-ib/run.hpp"

#include "core/base/text.hpp"
#include "nm-ib/command.hpp"
#include "nm-ib/complete.hpp"
#include "nm-ib/help.hpp"
#include "nm/nmcli.hpp"
#include "terminal/glib.hpp"
#include "verbs/connection/connection.hpp"
#include "verbs/doctor/doctor.hpp"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <unistd.h>

namespace nmib::cli
{

namespace
{
struct ConnectionVerb {
    const char *name;
    Verb *run;
    bool saves;
};
constexpr ConnectionVerb connection_verbs[] = {
    {"add", add_connection, true}, {"modify", modify_connection, true}, {"show", show_connection, false}};
/// In nmcli's order: an abbreviation means the first match.
constexpr const char *objects[] = {"general", "monitor", "networking", "radio", "connection", "device", "agent"};
constexpr const char *verbs[] = {"show", "up", "down", "add", "edit", "delete", "reload", "load", "modify"};

std::string_view full_name(const std::string &word, Choices names)
{
    const auto found = std::find_if(names.begin(), names.end(), [&](const char *name) { return begins(word, name); });
    return found == names.end() ? std::string_view() : *found;
}

/// Returns the verb of `connection`, with `in.args` after the verb; null if nmcli runs the command.
const ConnectionVerb *choose_verb(Invocation &in)
{
    if (in.args.empty() || full_name(in.args.front(), objects) != "connection") return nullptr;
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

bool asks_for_help(const std::string &word) { return word == "help" || word == "-h" || word == "--help"; }

Status run_own(std::string_view object, Invocation &in)
{
    if (in.options.json) in.args = Args(in.args.rest(), "--json");
    const auto word = in.args.empty() ? std::string() : in.args.front();
    if (asks_for_help(word)) return print_help(object, nullptr);
    if (const auto *command = find_command(object, word); command && asks_for_help(in.args.second()) && *command->verb)
        return print_help(object, command);
    auto parsed = parse_command(object, in.args);
    if (!parsed) return parsed.error();
    auto &[command, request] = *parsed;
    request.print = in.options;
    return command->run(request);
}

/// The failure if nmcli must run the command, but does not know the options or words of nm-ib.
Failure not_for_nmcli(const Options &options)
{
    if (options.json)
        return {exit_usage, _("Error: --json: only with nm-ib's own commands\n"
                              "To list the commands:\n"
                              "  nm-ib help")};
    if (options.rdma && !options.strict && !options.with_parent)
        return {exit_usage, _("Error: rdma.* words: only with connection add and modify, and "
                              "without --ask, connection.secondaries and connection.uuid.")};
    return {exit_usage, _("Error: --strict and --with-parent: only with connection add and modify "
                          "of InfiniBand profiles, and without --ask, connection.secondaries and connection.uuid.")};
}

/// SIGINT ends the command with nmcli's line and exit code (nmcli.c, signal_handler), also in a shell's background.
void end_as_nmcli()
{
    static std::string line; // the signal handler must not allocate
    const auto text = nm_form(nm("Error: nmcli terminated by signal %s (%d)"), strsignal(SIGINT), SIGINT) + "\n";
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

/// Fails if the output cannot be written. Not for commands that save: nmcli ignores the error there.
Status flushed(Status done)
{
    const bool printed = std::fflush(stdout) == 0 && !std::ferror(stdout);
    if (!done || printed) return done;
    return Failure{exit_failed, _("Error: the output cannot be written.")};
}

Status run_as_nmcli(Invocation &in, bool own)
{
    const auto *verb = choose_verb(in);
    if (verb && verb->saves && in.args.left() == 1 && is_help(in.args.front())) return print_help(verb->name);
    const bool saves = verb && verb->saves;
    if (own && !saves) return not_for_nmcli(in.options);
    if (in.options.offline && (in.options.with_parent || in.args.has("--with-parent")))
        return Failure{exit_usage, _("Error: --with-parent: not with --offline, which does not use NetworkManager.")};
    if (verb) end_as_nmcli();
    auto done = !verb || (saves && in.options.ask) ? to_nmcli() : verb->run(in);
    if (!done && done.error().code == left_to_nmcli)
        return own || in.options.has_own() ? not_for_nmcli(in.options) : become_nmcli(in.words, in.input);
    return saves ? done : flushed(std::move(done));
}

Status carry_out(const Words &words)
{
    if (!words.empty() && is_help(words[0])) return flushed(print_help());
    if (!words.empty() && is_option(words[0], "version")) return flushed(print_version());
    Args args(words);
    auto options = parse_options(args);
    if (!options) return become_nmcli(words);
    Invocation in{std::move(args), *options, words};
    const bool own = in.options.has_own() || in.args.has("--strict") || in.args.has("--with-parent");
    const auto word = in.args.empty() ? std::string() : in.args.front();
    if (!word.empty() && full_name(word, objects).empty() && !in.options.offline) {
        if (const auto object = object_of(word); !object.empty()) {
            in.args.skip();
            auto done = own && !in.options.json ? Status(not_for_nmcli(in.options)) : run_own(object, in);
            // A failure without a text is the exit status of the findings.
            const bool is_plugin =
                object == "doctor" && std::find(words.begin(), words.end(), "--nagios") != words.end();
            if (is_plugin && !done && !done.error().text.empty()) done = print_nagios(3, done.error().text);
            return flushed(std::move(done));
        }
        if (const auto meant = similar_object(word); !meant.empty())
            return Failure{exit_usage, form("Error: unknown command '{}'\n"
                                            "Did you mean:\n"
                                            "  nm-ib {}",
                                            printable(word), meant)};
    }
    return run_as_nmcli(in, own);
}
} // namespace

int run(int argc, char **argv)
{
    const Words words(argv + (argc > 0 ? 1 : 0), argv + argc);
    if (!words.empty() && words[0] == "--complete-args") return print_completion({words.begin() + 1, words.end()});
    const auto done = carry_out(words);
    std::fflush(stdout);
    if (done) return exit_ok;
    if (!done.error().text.empty()) complain(done.error().text); // else already printed
    return done.error().code;
}

} // namespace nmib::cli
