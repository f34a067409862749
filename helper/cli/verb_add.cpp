// SPDX-License-Identifier: LGPL-2.1-or-later
/// connection add type infiniband ...
#include "cli/draft.hpp"
#include "cli/profile.hpp"
#include "cli/verbs.hpp"

namespace nmib::cli
{

namespace
{
/// The properties, with the "--" of older versions and "save yes|no" among them.
std::optional<Failure> read_words(Draft &draft, Invocation &in, bool &save)
{
    bool seen_dashes = false;
    while (!in.args.empty()) {
        const auto failure = read_properties(draft, in.args, in.options);
        if (!failure) break;
        const auto word = in.args.empty() ? std::string{} : in.args.front();
        if (word == "--" && !seen_dashes) {
            seen_dashes = true;
            in.args.skip();
        } else if (word == "save") {
            in.args.skip();
            if (in.args.empty())
                return Failure{exit_usage, form(nm("Error: value for '%s' argument is required."), "save")};
            const auto value = to_bool(in.args.front());
            if (!value) return Failure{exit_usage, form(nm("Error: 'save': %s."), value.error().what.c_str())};
            save = *value;
            in.args.skip();
        } else {
            return failure;
        }
        skip_options(in.args, in.options);
    }
    return {};
}

void name_it(Draft &draft)
{
    if (nm_setting_connection_get_id(draft.base())) return;
    const auto *interface = nm_setting_connection_get_interface_name(draft.base());
    const std::string type = str(draft.slave_type()) == "bond"  ? "bond-slave"
                             : str(draft.slave_type()) == "vrf" ? "vrf-slave"
                                                                : "infiniband";
    const auto wanted = interface ? type + "-" + interface : type;
    const auto name = free_name(wanted, [&](const std::string &id) {
        for (const auto &k : draft.others())
            if (k.id == id) return true;
        return false;
    });
    g_object_set(draft.base(), "id", name.c_str(), nullptr);
}
} // namespace

std::optional<Failure> add_connection(Invocation &in)
{
    if (!in.options.offline || in.options.ask) return to_nmcli();
    auto draft = new_draft();
    draft.around.offline = in.options.offline;
    const std::vector<Known> nobody;
    draft.others = [&]() -> const std::vector<Known> & { return nobody; };

    bool save = true;
    const auto failure = read_words(draft, in, save);
    if (failure || !draft.type()) {
        if (!failure || is_to_nmcli(*failure)) return to_nmcli();
        for (const auto &line : draft.said) std::fputs(line.c_str(), stdout);
        return failure;
    }
    name_it(draft);
    nm_connection_normalize(draft.connection.get(), nullptr, nullptr, nullptr);
    for (const auto &line : draft.said) std::fputs(line.c_str(), stdout);
    const auto text = to_keyfile(draft.connection.get());
    if (!text) return Failure{exit_failed, form(nm("Error: Error writing connection: %s"), text.error().what.c_str())};
    std::fputs(text->c_str(), stdout);
    return {};
}

} // namespace nmib::cli
