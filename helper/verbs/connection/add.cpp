// SPDX-License-Identifier: LGPL-2.1-or-later
/// connection add type infiniband ...
#include "nm/offline_profile.hpp"
#include "verbs/connection/advice.hpp"
#include "verbs/connection/connection.hpp"
#include "verbs/connection/rdma_words.hpp"
#include "verbs/connection/resolve.hpp"
#include "verbs/connection/save.hpp"

namespace nmib::cli
{

namespace
{
/// Returns false for `save no`. nmcli has accepted the word: yes, true, on, no, false, off or a beginning of these, in
/// any case, or a number.
bool is_saved(const PropertyWords &words)
{
    const auto *word = words.find(Property::save);
    const auto w = std::string(word ? trim(*word) : "");
    if (w.empty()) return true;
    if (g_ascii_isdigit(w.front())) return g_ascii_strtoull(w.c_str(), nullptr, 0) != 0;
    const char first = g_ascii_tolower(w.front());
    return first == 'y' || first == 't' || g_ascii_strcasecmp(w.c_str(), "on") == 0;
}

/// Chooses an unused name, like nmcli. Offline, nmcli does not know the other profiles.
void choose_name(Draft &draft, const Profiles &profiles)
{
    if (draft.typed.sets(Property::id)) return;
    const auto name = profiles.free_name(str(nm_setting_connection_get_id(draft.base())));
    g_object_set(draft.base(), "id", name.c_str(), nullptr);
}
} // namespace

Status add_connection(Invocation &in)
{
    PropertyWords words(in.args.rest(), in.options);
    if (!words.is_infiniband() && (words.rdma().empty() || in.options.strict || in.options.with_parent))
        return to_nmcli();
    std::optional<Daemon> daemon;
    std::optional<Profiles> profiles;
    if (!in.options.offline) {
        auto connected = Daemon::connect();
        if (!connected) return connected.error();
        daemon = std::move(*connected);
        profiles.emplace(*daemon);
        if (words.has(Property::secondaries)) return to_nmcli(); // offline nmcli crashes
        resolve_controller(words, *profiles);
    }
    const auto notes = resolve_guids(words);
    const bool own = in.options.has_own() || !notes.empty();
    auto made = run_offline("add", words.all(), {}, !words.is_infiniband());
    if (!made) return made.error();
    if (!made->connection) return own ? made->refusal : to_nmcli();
    if (daemon) warn_of_version(*daemon);
    pass_on(*made);
    for (const auto &line : notes) note(line);
    Draft draft{std::move(made->connection), std::move(words), in.options.offline};
    if (auto done = take_rdma_words(draft); !done) return done;
    if (profiles) choose_name(draft, *profiles);
    if (auto done = print_advice(advise(draft, profiles ? &*profiles : nullptr, in.options), in.options.strict); !done)
        return done;
    auto *c = draft.connection.get();
    if (!profiles) return print_keyfile(c);
    const bool save = is_saved(draft.typed);
    return store_with_words(draft, save, [&] {
        return store_with_parent(draft, *profiles, in.options, save, [&]() -> Status {
            if (auto done = add_profile(*profiles, c, save); !done) return done;
            print_added(*profiles, c);
            return {};
        });
    });
}

} // namespace nmib::cli
