// SPDX-License-Identifier: LGPL-2.1-or-later
/// connection add type infiniband ...
#include "cli/base/profile.hpp"
#include "cli/dialogue.hpp"
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
/// "save yes|no"
std::optional<Failure> read_save(Invocation &in, bool &save)
{
    in.args.skip();
    if (in.args.empty()) return Failure{exit_usage, form(nm("Error: value for '%s' argument is required."), "save")};
    const auto value = to_bool(in.args.front());
    if (!value) return Failure{exit_usage, form(nm("Error: 'save': %s."), value.error().what.c_str())};
    save = *value;
    in.args.skip();
    skip_options(in.args, in.options);
    return {};
}

/// The properties, and where one cannot be read the "--" of older versions or "save".
std::optional<Failure> read_words_until_1_52(Draft &draft, Invocation &in, bool &save)
{
    bool seen_dashes = false;
    while (!in.args.empty()) {
        auto failure = read_properties(draft, in.args, in.options);
        if (!failure) break;
        const auto word = in.args.empty() ? std::string{} : in.args.front();
        if (word == "--" && !seen_dashes) {
            seen_dashes = true;
            in.args.skip();
            skip_options(in.args, in.options);
        } else if (word != "save") {
            return failure;
        } else if (auto f = read_save(in, save)) {
            return f;
        }
    }
    return {};
}

/// The same in order: first these, then the properties.
std::optional<Failure> read_words(Draft &draft, Invocation &in, bool &save)
{
    if (!has_version(54)) return read_words_until_1_52(draft, in, save);
    bool seen_dashes = false;
    Words properties;
    while (!in.args.empty()) {
        if (take_own_option(in.args, in.options)) continue;
        if (in.args.front() == "--") {
            if (std::exchange(seen_dashes, true))
                return Failure{exit_usage, nm("Error: argument '--' can only be passed once")};
            in.args.skip();
            skip_options(in.args, in.options);
        } else if (in.args.front() == "save") {
            if (auto f = read_save(in, save)) return f;
        } else {
            properties.push_back(in.args.take());
            if (!in.args.empty()) properties.push_back(in.args.take());
        }
    }
    in.args = Args(std::move(properties));
    return read_properties(draft, in.args, in.options);
}

void name_it(Draft &draft)
{
    if (nm_setting_connection_get_id(draft.base())) return;
    const auto *interface = nm_setting_connection_get_interface_name(draft.base());
    const std::string type = str(draft.slave_type()) == "bond"  ? "bond-slave"
                             : str(draft.slave_type()) == "vrf" ? "vrf-slave"
                                                                : "infiniband";
    const auto wanted = interface ? type + "-" + interface : type;
    const auto name = free_name(
        wanted, [&](const std::string &id) { return find_name(draft.around.others(), &Name::id, id).has_value(); });
    g_object_set(draft.base(), "id", name.c_str(), nullptr);
}

std::optional<Failure> store(const Profiles &profiles, NMConnection *c, bool save)
{
    // Of what libnm could not normalize the daemon may take a part, and would choose this itself.
    if (!nm_connection_get_uuid(c))
        g_object_set(nm_connection_get_setting_connection(c), "uuid", Text(nm_utils_uuid_generate()).get(), nullptr);
    if (const auto path = profiles.add(c, save); !path) return failed_to_add(c, path.error());
    tell_added(profiles, c);
    return {};
}
} // namespace

std::optional<Failure> add_connection(Invocation &in)
{
    std::optional<Daemon> daemon;
    if (!in.options.offline) {
        auto connected = Daemon::connect();
        if (auto *f = std::get_if<Failure>(&connected)) return *f;
        daemon = std::move(std::get<Daemon>(connected));
    }
    const Names nobody;
    std::optional<Profiles> profiles;
    if (daemon) profiles.emplace(*daemon);

    auto draft = new_draft();
    draft.around.offline = in.options.offline;
    draft.around.others = [&]() -> const Names & { return profiles ? profiles->names() : nobody; };

    bool save = true;
    auto failure = read_words(draft, in, save);
    if (!failure) failure = ensure_settings(draft);
    if (!failure && !draft.type())
        failure = in.options.ask && draft.said.empty() && !draft.slave_type() ? ask_type(draft, in.more) : to_nmcli();
    if (!failure && daemon && !in.options.has_own() && daemon->would_nmcli_warn()) return to_nmcli();
    if (failure) {
        in.said = std::move(draft.said);
        return failure;
    }
    tell_of_no_agent(in);
    draft.speak();
    for (const auto &line : take_stable_names(draft)) note(line);
    name_it(draft);
    do nm_connection_normalize(draft.connection.get(), nullptr, nullptr, nullptr);
    while (in.options.ask && ask_next(draft));
    if (auto f = tell(advise(draft, profiles ? &*profiles : nullptr, in.options), in.options.strict)) return f;
    auto *c = draft.connection.get();
    if (!profiles) return print_keyfile(c);
    return store_with_parent(draft, *profiles, in.options, save, [&] { return store(*profiles, c, save); });
}

} // namespace nmib::cli
