// SPDX-License-Identifier: LGPL-2.1-or-later
/// connection modify [--temporary] PROFILE property value ...
#include "cli/draft.hpp"
#include "cli/profile.hpp"
#include "cli/verbs.hpp"

namespace nmib::cli
{

namespace
{
std::optional<Failure> modify_keyfile(Invocation &in)
{
    auto text = read_input();
    if (!text) return Failure{exit_failed, text.error().what};
    in.input = *text;
    auto connection = parse_keyfile(*text);
    if (!connection) return to_nmcli();
    Draft draft;
    draft.connection = std::move(*connection);
    draft.around.offline = true;
    draft.may_remove = true;
    const std::vector<Known> nobody;
    draft.others = [&]() -> const std::vector<Known> & { return nobody; };
    if (!draft.base() || !draft.type()) return to_nmcli();

    std::optional<Failure> failure;
    if (!in.args.empty()) failure = read_properties(draft, in.args, in.options);
    if (failure && is_to_nmcli(*failure)) return failure;
    for (const auto &line : draft.said) std::fputs(line.c_str(), stdout);
    if (failure) return failure;
    const auto result = to_keyfile(draft.connection.get());
    if (!result)
        return Failure{exit_failed, form(nm("Error: Error writing connection: %s"), result.error().what.c_str())};
    std::fputs(result->c_str(), stdout);
    return {};
}
} // namespace

std::optional<Failure> modify_connection(Invocation &in)
{
    if (!in.args.empty() && is_option(in.args.front(), "temporary")) {
        in.args.skip();
        skip_options(in.args, in.options);
    }
    if (in.options.offline) return modify_keyfile(in);
    return to_nmcli();
}

} // namespace nmib::cli
