// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/check/output.hpp"

#include "cli/base/words.hpp"
#include "core/number.hpp"
#include "core/printable.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

namespace nmib::cli
{

namespace
{
using Json = nlohmann::json;

/// The text behind `mark`, up to the first of `ends`; empty where the mark is not there.
std::string_view behind(std::string_view line, std::string_view mark, const char *ends) noexcept
{
    const auto at = line.find(mark);
    if (at == line.npos) return {};
    line.remove_prefix(at + mark.size());
    return line.substr(0, line.find_first_of(ends));
}

/// "0.823", "39.1", "1024"
std::optional<double> milliseconds(std::string_view text) noexcept
{
    const auto point = text.find('.');
    const auto whole = parse_decimal(text.substr(0, point), 1'000'000);
    if (!whole || point == text.npos) return whole ? std::optional<double>(static_cast<double>(*whole)) : std::nullopt;
    const auto digits = text.substr(point + 1);
    const auto fraction = digits.size() <= 6 ? parse_decimal(digits, 999'999) : std::nullopt;
    if (!fraction) return std::nullopt;
    return static_cast<double>(*whole) +
           static_cast<double>(*fraction) / std::pow(10.0, static_cast<double>(digits.size()));
}

/// "64 bytes from 192.0.2.2: icmp_seq=1 ttl=64 time=0.823 ms"
std::optional<PingSeen::Answer> answer(std::string_view line) noexcept
{
    if (line.find(" bytes from ") == line.npos) return std::nullopt;
    const auto sequence = parse_decimal(behind(line, "icmp_seq=", " "), 65535);
    const auto ms = milliseconds(behind(line, " time=", " "));
    if (!sequence || !ms) return std::nullopt;
    return PingSeen::Answer{static_cast<unsigned>(*sequence), *ms};
}

/// "... message too long, mtu=2044", "Frag needed and DF set (mtu = 1500)", "Packet too big: mtu=1500"
void read_complaint(const std::string &line, PingSeen &seen)
{
    const bool local = line.find("essage too long") != line.npos;
    seen.too_long |= local || line.find("Frag needed") != line.npos || line.find("Packet too big") != line.npos;
    if (local)
        for (const auto *mark : {"mtu=", "mtu: ", "mtu = "})
            if (const auto mtu = parse_decimal(behind(line, mark, " )"), 1 << 20))
                seen.local_limit = static_cast<Mtu>(*mtu);
    if (seen.said.empty()) seen.said = line;
}

double number(const Json &of, const char *key)
{
    const auto found = of.is_object() ? of.find(key) : of.end();
    const double value = of.is_object() && found != of.end() && found->is_number() ? found->get<double>() : 0.0;
    return std::isfinite(value) && value > 0 ? value : 0.0;
}

unsigned whole(double value, double most) { return static_cast<unsigned>(std::min(value, most)); }

Json part(const Json &of, const char *key)
{
    const auto found = of.is_object() ? of.find(key) : of.end();
    return of.is_object() && found != of.end() ? *found : Json();
}

std::string text(const Json &of, const char *key)
{
    const auto value = part(of, key);
    return value.is_string() ? value.get<std::string>() : std::string();
}

Error complaint(const std::string &what)
{
    auto kind = Error::Kind::io;
    if (what.find("unable to connect") != what.npos) kind = Error::Kind::absent;
    if (what.find("server is busy") != what.npos) kind = Error::Kind::refused;
    return {kind, printable(what)};
}
} // namespace

PingSeen parse_ping(std::string_view out, std::string_view err)
{
    PingSeen seen;
    for (const auto &line : cut(err, "\n")) read_complaint(line, seen);
    for (const auto &line : cut(out, "\n")) {
        if (const auto a = answer(line)) {
            if (line.find("(DUP!)") == line.npos) seen.answers.push_back(*a);
        } else if (const auto at = line.find(" packets transmitted"); at != line.npos) {
            const auto sent = parse_decimal(std::string_view(line).substr(0, at), 65535);
            if (sent) seen.sent = static_cast<unsigned>(*sent);
        } else if (line.starts_with("From ") || line.find("essage too long") != line.npos)
            read_complaint(line, seen);
    }
    return seen;
}

Result<IperfSeen> parse_iperf(std::string_view out)
{
    const auto all = Json::parse(out, nullptr, false);
    if (!all.is_object()) return bad(_("iperf3 gave no report"));
    if (const auto error = text(all, "error"); !error.empty()) return complaint(error);
    const auto start = part(all, "start"), end = part(all, "end");
    const auto received = number(part(end, "sum_received"), "bits_per_second");
    if (received <= 0) return bad(_("iperf3 reports no throughput"));
    IperfSeen seen;
    seen.mbps = whole(received / 1e6, 1e9);
    const auto mss = number(start, "tcp_mss_default");
    seen.mss = whole(mss > 0 ? mss : number(start, "tcp_mss"), 1 << 20);
    return seen;
}

} // namespace nmib::cli
