// SPDX-License-Identifier: LGPL-2.1-or-later
/// connection show PROFILE, where the profile has rdma.* words or they are asked for; all else is nmcli's.
#include "cli/command/verbs.hpp"
#include "cli/connection/rdma_words.hpp"
#include "cli/daemon/profiles.hpp"
#include "cli/nmcli/nmcli.hpp"
#include "cli/plan/machine.hpp"
#include "core/base/printable.hpp"

#include <algorithm>
#include <cstdio>

namespace nmib::cli
{

namespace
{
constexpr int nmcli_column = 40; ///< where nmcli's values begin

/// What of the fields is ours; nothing where none is.
Words own_fields(const std::optional<std::string> &fields)
{
    auto all = cut(fields.value_or(""), ", ");
    std::erase_if(all, [](const auto &f) { return f != "rdma" && !f.starts_with("rdma."); });
    return all;
}

void print_words(const RdmaValues &values, const Options &options, const Words &fields)
{
    const bool bare = options.print == Options::Print::terse && options.multiline == std::optional(false); // -g
    for (const auto &word : all_rdma_words) {
        const auto name = std::string(word.name);
        const auto it = values.find(name.substr(sizeof("rdma.") - 1));
        const bool all = fields.empty() || std::find(fields.begin(), fields.end(), "rdma") != fields.end();
        if (all ? it == values.end() : std::find(fields.begin(), fields.end(), name) == fields.end()) continue;
        const auto value = it == values.end() ? "" : it->second;
        if (bare)
            print(value + "\n");
        else if (options.print == Options::Print::terse)
            print(name + ":" + value + "\n");
        else
            print(form("%-*s%s\n", nmcli_column, (name + ":").c_str(), value.empty() ? "--" : value.c_str()));
    }
}
} // namespace

std::optional<Failure> show_connection(Invocation &in)
{
    const auto fields = own_fields(in.options.fields);
    const bool asked = !fields.empty();
    if (asked && cut(*in.options.fields, ", ").size() != fields.size())
        return Failure{exit_usage, _("Error: rdma.* fields are shown alone: nmcli's in a call of its own.")};
    for (const auto &field : fields)
        if (field != "rdma" && !find_rdma_word(field))
            return Failure{exit_usage, form(_("Error: there is no word %s."), printable(field).c_str())};
    std::string selector;
    auto words = in.args.rest();
    if (words.size() == 2 && is_selector(words[0])) selector = words[0], words.erase(words.begin());
    if (words.size() != 1 || words[0].starts_with('-') || (in.options.fields && !asked) || in.options.offline)
        return asked ? Failure{exit_usage, _("Error: rdma.* fields are of one profile: connection show PROFILE.")}
                     : to_nmcli();
    const auto connected = Daemon::connect();
    if (const auto *f = std::get_if<Failure>(&connected)) return asked ? *f : to_nmcli();
    const auto &daemon = std::get<Daemon>(connected);
    const auto found = Profiles(daemon).find(selector, words[0]);
    if (found.empty() && asked)
        return Failure{exit_not_found,
                       form(nm("Error: %s - no such connection profile."), printable(words[0]).c_str())};
    const auto connection = found.empty() ? Result<Object<NMConnection>>(Error{}) : daemon.profile(found.front().path);
    if (!connection) return asked ? Failure{exit_failed, connection.error().what} : to_nmcli();
    const auto read = rdma_words_of(connection->get());
    if (!read) return asked ? failure_of(read.error()) : to_nmcli();
    for (const auto &why : read->bad) complain(form(_("warning: %s"), why.c_str()));
    if (!asked && read->values.empty()) return to_nmcli();
    if (!asked) {
        const auto run = run_nmcli(in.words);
        if (!run) return Failure{exit_failed, run.error().what};
        std::fputs(run->out.c_str(), stdout);
        std::fputs(run->err.c_str(), stderr);
        if (run->code != 0) return Failure{run->code, {}};
    }
    print_words(read->values, in.options, fields);
    return {};
}

} // namespace nmib::cli
