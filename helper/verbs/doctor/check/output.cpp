// SPDX-License-Identifier: LGPL-2.1-or-later
#include "verbs/doctor/check/output.hpp"

#include "core/base/text.hpp"
#include "terminal/words.hpp"

#include <charconv>
#include <nlohmann/json.hpp>

namespace nmib::cli
{

namespace
{

/// Returns the text after `mark`, up to the first of `ends`; empty without `mark`.
std::string_view behind(std::string_view line, std::string_view mark, const char *ends) noexcept
{
    const auto at = line.find(mark);
    if (at == line.npos) return {};
    line.remove_prefix(at + mark.size());
    return line.substr(0, line.find_first_of(ends));
}

/// Parses "64 bytes from 192.0.2.2: icmp_seq=1 ttl=64 time=0.823 ms".
std::optional<PingSeen::Answer> answer(std::string_view line) noexcept
{
    if (line.find(" bytes from ") == line.npos) return std::nullopt;
    const auto sequence = parse_decimal(behind(line, "icmp_seq=", " "), 65535);
    const auto time = behind(line, " time=", " ");
    double ms = 0;
    const auto [end, error] = std::from_chars(time.data(), time.data() + time.size(), ms);
    if (!sequence || error != std::errc() || end != time.data() + time.size() || !(ms >= 0)) return std::nullopt;
    return PingSeen::Answer{static_cast<unsigned>(*sequence), ms};
}

/// Returns the number at these nested keys, limited to `most`; 0 if there is none.
double number(const nlohmann::json &all, std::initializer_list<const char *> keys, double most)
{
    const auto *at = &all;
    for (const auto *key : keys) {
        const auto found = at->find(key);
        if (found == at->end()) return 0;
        at = &*found;
    }
    const double value = at->is_number() ? at->get<double>() : 0;
    return value > 0 ? std::min(value, most) : 0;
}
} // namespace

PingSeen parse_ping(std::string_view out, std::string_view err)
{
    PingSeen seen{.error_line = std::string(take(err))};
    for (const auto &line : cut(out, "\n")) {
        const auto at = line.find(" packets transmitted");
        if (const auto a = answer(line); a && line.find("(DUP!)") == line.npos) seen.answers.push_back(*a);
        if (at == line.npos) continue;
        if (const auto sent = parse_decimal(std::string_view(line).substr(0, at), 65535))
            seen.sent = static_cast<unsigned>(*sent);
    }
    return seen;
}

Result<IperfSeen> parse_iperf(std::string_view out)
{
    const auto all = nlohmann::json::parse(out, nullptr, false);
    if (const auto error = all.find("error"); error != all.end() && error->is_string())
        return bad(error->get<std::string>());
    const auto received = number(all, {"end", "sum_received", "bits_per_second"}, 1e15);
    if (received <= 0) return bad(_("iperf3 reports no throughput"));
    const auto agreed = number(all, {"start", "tcp_mss_default"}, 1 << 20);
    const auto mss = agreed > 0 ? agreed : number(all, {"start", "tcp_mss"}, 1 << 20);
    return IperfSeen{static_cast<unsigned>(received / 1e6), static_cast<Mtu>(mss)};
}

} // namespace nmib::cli
