// SPDX-License-Identifier: LGPL-2.1-or-later
/// check PEER [-4|-6] [--no-iperf] [--time SEC] [--at-least PERCENT] [--json]
#include "cli/check/peer.hpp"
#include "cli/check/report.hpp"
#include "cli/verb/verbs.hpp"
#include "core/number.hpp"
#include "core/printable.hpp"

#include <cstdio>
#include <sys/socket.h>

namespace nmib::cli
{

namespace
{
constexpr int exit_slow = 1, exit_step_failed = 4;
constexpr std::size_t longest_name = 253; // RFC 1035

/// Takes the number behind an option.
bool take_number(Args &args, unsigned least, unsigned most, unsigned &to)
{
    const auto number = args.empty() ? std::nullopt : parse_decimal(args.take(), most);
    if (!number || *number < least) return false;
    to = static_cast<unsigned>(*number);
    return true;
}

/// Nothing where the words are no request.
std::optional<CheckRequest> parse(Args &args)
{
    CheckRequest r;
    while (!args.empty()) {
        auto word = args.take();
        bool good = true;
        if (word == "--json")
            r.json = true;
        else if (word == "--no-iperf")
            r.iperf = false;
        else if (word == "--time")
            good = take_number(args, 1, 3600, r.seconds);
        else if (word == "--at-least")
            good = take_number(args, 0, 100, r.least);
        else if (word == "-4" || word == "-6")
            r.family = word == "-4" ? AF_INET : AF_INET6;
        else if (r.peer.empty() && !word.empty() && !word.starts_with('-') && word.size() <= longest_name)
            r.peer = std::move(word);
        else
            good = false;
        if (!good) return {};
    }
    return r.peer.empty() ? std::nullopt : std::optional(std::move(r));
}

std::optional<Failure> outcome(const CheckReport &report)
{
    switch (report.worst()) {
    case CheckStep::State::failed: return Failure{exit_step_failed, {}};
    case CheckStep::State::warning: return Failure{exit_slow, {}};
    default: return {};
    }
}
} // namespace

std::optional<Failure> check_peer(Invocation &in)
{
    const auto request = parse(in.args);
    if (!request)
        return Failure{exit_usage, _("Usage: nm-ib check PEER [-4|-6] [--no-iperf] [--time SEC] [--at-least PERCENT] "
                                     "[--json]")};
    const auto peer = resolve(request->peer, request->family);
    if (!peer) return Failure{exit_not_found, form(_("Error: %s"), peer.error().what.c_str())};
    const auto &o = in.options;
    const bool as_table = o.print == Options::Print::terse || o.fields || o.multiline.value_or(false);
    if (const auto fields = table_of(o, {}); as_table && !fields)
        return Failure{exit_usage, form(_("Error: %s"), fields.error().what.c_str())};
    const bool as_text = !as_table && !request->json;
    const auto report = run_check(*request, *peer, [&](const CheckStep &step) {
        if (!as_text) return;
        print(text_of(step));
        std::fflush(stdout); // the next one may take its time
    });
    if (request->json) {
        print_json(json_of(report));
    } else if (as_table) {
        print(*table_of(o, report));
    }
    return outcome(report);
}

} // namespace nmib::cli
