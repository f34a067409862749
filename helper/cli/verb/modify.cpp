// SPDX-License-Identifier: LGPL-2.1-or-later
/// connection modify [--temporary] PROFILE property value ...
#include "cli/base/profile.hpp"
#include "cli/draft.hpp"
#include "cli/fabric/advice.hpp"
#include "cli/fabric/parent.hpp"
#include "cli/name/stable.hpp"
#include "cli/nmcli/handover.hpp"
#include "cli/verb/saving.hpp"
#include "cli/verb/verbs.hpp"

namespace nmib::cli
{

namespace
{
/// What goes beyond nmcli: values that follow, and warnings.
std::optional<Failure> consider(Draft &draft, const Profiles *profiles, const Options &options)
{
    for (const auto &line : take_stable_names(draft)) note(line);
    for (const auto &line : follow(draft)) note(line);
    return tell(advise(draft, profiles, options), options.strict);
}

std::optional<Failure> modify_keyfile(Invocation &in)
{
    auto read = read_input();
    if (auto *f = std::get_if<Failure>(&read)) return std::move(*f);
    in.input = std::move(std::get<std::string>(read));
    auto connection = parse_keyfile(*in.input);
    if (!connection) return to_nmcli();
    Draft draft;
    draft.connection = std::move(*connection);
    draft.around.offline = true;
    draft.may_remove = true;
    const Names nobody;
    draft.around.others = [&]() -> const Names & { return nobody; };
    if (!draft.base() || !draft.type()) return to_nmcli();

    std::optional<Failure> failure;
    if (!in.args.empty()) failure = read_properties(draft, in.args, in.options);
    if (failure) {
        in.said = std::move(draft.said);
        return failure;
    }
    tell_of_no_agent(in);
    draft.speak();
    if (auto f = consider(draft, nullptr, in.options)) return f;
    return print_keyfile(draft.connection.get());
}

std::optional<Failure> modify_stored(Invocation &in, const Daemon &daemon, bool save)
{
    auto &args = in.args;
    if (args.empty()) return Failure{exit_usage, form(nm("Error: %s."), nm("No connection specified"))};
    std::string selector;
    if (is_selector(args.front())) {
        if (args.left() == 1) {
            const auto which = has_version(46) ? args.front() : "(null)"; // earlier nmcli does not say
            return Failure{exit_usage,
                           form(nm("Error: %s."), form(nm("%s argument is missing"), which.c_str()).c_str())};
        }
        selector = args.take();
    }
    const auto name = args.take();
    skip_options(args, in.options);
    const Profiles profiles(daemon);
    const auto found = profiles.find(selector, name);
    if (found.empty() && !daemon.running()) return Daemon::not_running();
    if (found.empty())
        return Failure{exit_not_found,
                       form(nm("Error: %s."), form(nm("unknown connection '%s'"), name.c_str()).c_str())};
    const auto &path = found.front().path;
    auto connection = daemon.profile(path);
    if (!connection || is_renamed(found.front(), connection->get())) return to_nmcli();

    Draft draft;
    draft.connection = std::move(*connection);
    draft.may_remove = true;
    draft.around.others = [&]() -> const Names & { return profiles.names(); };
    auto *c = draft.connection.get();
    auto failure = read_properties(draft, args, in.options);
    if (!failure && !in.options.has_own() && daemon.would_nmcli_warn()) return to_nmcli();
    if (failure) {
        in.said = std::move(draft.said);
        return failure;
    }
    draft.speak();
    if (auto f = consider(draft, &profiles, in.options)) return f;
    return store_with_parent(draft, profiles, in.options, save, [&]() -> std::optional<Failure> {
        if (const auto r = daemon.update(path, c, save); !r)
            return Failure{exit_failed, form(nm("Error: Failed to modify connection '%s': %s"), nm_connection_get_id(c),
                                             r.error().what.c_str())};
        warn_of_stored(profiles, c);
        if (in.options.print == Options::Print::pretty)
            print(form(nm("Connection '%s' (%s) successfully modified.\n"), nm_connection_get_id(c),
                       nm_connection_get_uuid(c)));
        return {};
    });
}
} // namespace

std::optional<Failure> modify_connection(Invocation &in)
{
    const bool temporary = !in.args.empty() && is_option(in.args.front(), "temporary");
    if (temporary) {
        in.args.skip();
        skip_options(in.args, in.options);
    }
    if (in.options.offline) return modify_keyfile(in);
    const auto connected = Daemon::connect();
    if (const auto *f = std::get_if<Failure>(&connected)) return *f;
    return modify_stored(in, std::get<Daemon>(connected), !temporary);
}

} // namespace nmib::cli
