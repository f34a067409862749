// SPDX-License-Identifier: LGPL-2.1-or-later
/// connection modify [--temporary] PROFILE property value ...
#include "nm/offline_profile.hpp"
#include "verbs/connection/advice.hpp"
#include "verbs/connection/connection.hpp"
#include "verbs/connection/follow.hpp"
#include "verbs/connection/rdma_words.hpp"
#include "verbs/connection/resolve.hpp"
#include "verbs/connection/save.hpp"

namespace nmib::cli
{

namespace
{
/// Returns true for InfiniBand profiles, and for other types if rdma.* words were typed.
bool is_ours(NMConnection *connection, const PropertyWords &words, const Options &options)
{
    return nm_connection_is_type(connection, "infiniband") ||
           (!words.rdma().empty() && !options.strict && !options.with_parent);
}

/// Applies the words, by nmcli and by InfiniBand's rules. `keyfile`: the text of `before`.
Result<Draft, Failure> changed(NMConnection *before, const std::string &keyfile, PropertyWords words,
                               const Invocation &in, const Daemon *daemon)
{
    const auto notes = resolve_guids(words);
    const Follow follow(before, words);
    auto made = words.all().empty() ? Result<OfflineProfile, Failure>(OfflineProfile{copy_of(before), {}, {}})
                                    : run_offline("modify", words.all(), follow.make_room(keyfile),
                                                  !nm_connection_is_type(before, "infiniband"));
    if (!made) return made.error();
    if (!made->connection) return in.options.has_own() || !notes.empty() ? made->refusal : to_nmcli();
    if (daemon) warn_of_version(*daemon);
    pass_on(*made);
    Draft draft{std::move(made->connection), std::move(words), in.options.offline};
    if (const auto done = take_rdma_words(draft); !done) return done.error();
    for (const auto &line : notes) note(line);
    for (const auto &line : follow.finish(draft)) note(line);
    return draft;
}

Status modify_keyfile(Invocation &in)
{
    in.input = read_input();
    if (!in.input) return to_nmcli();
    auto before = parse_keyfile(*in.input);
    PropertyWords words(in.args.rest(), in.options);
    if (!before || !is_ours(before->get(), words, in.options)) return to_nmcli();
    auto draft = changed(before->get(), *in.input, std::move(words), in, nullptr);
    if (!draft) return draft.error();
    auto &d = *draft;
    if (auto done = print_advice(advise(d, nullptr, in.options), in.options.strict); !done) return done;
    return print_keyfile(d.connection.get());
}

Status modify_stored(Invocation &in, const Daemon &daemon, bool save)
{
    std::string selector;
    if (!in.args.empty() && is_selector(in.args.front())) selector = in.args.take();
    if (in.args.empty()) return to_nmcli();
    const auto name = in.args.take();
    skip_options(in.args, in.options);
    if (in.args.empty()) return to_nmcli();
    PropertyWords words(in.args.rest(), in.options);
    const Profiles profiles(daemon);
    const auto found = profiles.find(selector, name);
    if (const auto *why = profiles.unanswered()) return Daemon::no_answer(*why);
    if (found.empty() && in.options.has_own())
        return Failure{exit_not_found,
                       nm_form(nm("Error: %s."), nm_form(nm("unknown connection '%s'"), name.c_str()).c_str())};
    if (found.empty()) return to_nmcli();
    const auto &path = found.front().path;
    const auto before = daemon.profile(path);
    if (!before || !is_ours(before->get(), words, in.options)) return to_nmcli();
    // Offline nmcli accepts a new UUID, and crashes on secondaries.
    if (words.has(Property::uuid) || words.has(Property::secondaries)) return to_nmcli();
    resolve_controller(words, profiles);
    const auto keyfile = to_keyfile(before->get());
    if (!keyfile) return to_nmcli();

    auto draft = changed(before->get(), *keyfile, std::move(words), in, &daemon);
    if (!draft) return draft.error();
    auto &d = *draft;
    if (auto done = print_advice(advise(d, &profiles, in.options), in.options.strict); !done) return done;
    auto *c = d.connection.get();
    const auto store = [&]() -> Status {
        // rdma.* words alone do not change the profile: NetworkManager need not store it again.
        const bool same = d.rdma && nm_connection_compare(before->get(), c, NM_SETTING_COMPARE_FLAG_EXACT);
        if (const auto r = same ? Result<void>() : daemon.update(path, c, save); !r)
            return Failure{exit_failed, nm_form(nm("Error: Failed to modify connection '%s': %s"),
                                                nm_connection_get_id(c), r.error().what.c_str())};
        warn_of_namesakes(profiles, c);
        if (in.options.print == Options::Print::pretty)
            print(nm_form(nm("Connection '%s' (%s) successfully modified.\n"), nm_connection_get_id(c),
                          nm_connection_get_uuid(c)));
        return {};
    };
    return store_with_words(d, save, [&] { return store_with_parent(d, profiles, in.options, save, store); });
}
} // namespace

Status modify_connection(Invocation &in)
{
    const bool temporary = !in.args.empty() && is_option(in.args.front(), "temporary");
    if (temporary) {
        in.args.skip();
        skip_options(in.args, in.options);
    }
    if (in.options.offline) return modify_keyfile(in);
    const auto connected = Daemon::connect();
    if (!connected) return connected.error();
    return modify_stored(in, *connected, !temporary);
}

} // namespace nmib::cli
