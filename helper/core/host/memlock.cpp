// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/host/memlock.hpp"

#include "core/base/text.hpp"

#include <algorithm>

namespace nmib
{

namespace
{
constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

bool is_made_of_letters_digits_and(std::string_view others, std::string_view name)
{
    const auto is_one = [&](char c) {
        return letters.find(c) != letters.npos || others.find(c) != others.npos || (c >= '0' && c <= '9');
    };
    return std::all_of(name.begin(), name.end(), is_one);
}

/// Unit types that start processes.
constexpr std::string_view unit_ends[] = {".service", ".socket", ".mount", ".swap"};
constexpr std::string_view suffixes = "KMGT";
using Kind = MemlockTarget::Kind;

/// Like useradd, but less strict: no white space, and nothing that pam_limits interprets ("*", "%", ":").
bool is_account(std::string_view name)
{
    constexpr std::size_t longest = 64;
    return !name.empty() && name.size() <= longest && (letters.find(name[0]) != letters.npos || name[0] == '_') &&
           is_made_of_letters_digits_and("_.-$", name);
}

/// systemd.unit(5): letters, digits and ":-_.\"; "@" before an instance.
bool is_unit(std::string_view name)
{
    const auto ends = [&](std::string_view end) { return name.ends_with(end) && name.size() > end.size(); };
    return name.size() < 256 && name[0] != '.' && name[0] != '@' && is_made_of_letters_digits_and(":-_.\\@", name) &&
           std::any_of(std::begin(unit_ends), std::end(unit_ends), ends);
}
} // namespace

std::optional<MemlockTarget> MemlockTarget::parse(std::string_view word)
{
    if (word.starts_with('@') && is_account(word.substr(1)))
        return MemlockTarget{Kind::group, std::string(word.substr(1))};
    if (!word.empty() && is_unit(word)) return MemlockTarget{Kind::unit, std::string(word)};
    if (is_account(word)) return MemlockTarget{Kind::user, std::string(word)};
    return {};
}

std::optional<MemlockSize> MemlockSize::parse(std::string_view word)
{
    if (word == "unlimited") return MemlockSize{};
    const auto at = word.empty() ? suffixes.npos : suffixes.find(word.back());
    if (at == suffixes.npos) return {};
    const unsigned shift = 10U * (static_cast<unsigned>(at) + 1);
    const auto number = parse_decimal(word.substr(0, word.size() - 1), (1ULL << 60) >> shift);
    if (!number || *number == 0) return {};
    return MemlockSize{*number << shift};
}

std::string MemlockSize::str() const
{
    if (!bytes) return "unlimited";
    std::size_t at = 0;
    auto number = *bytes >> 10;
    for (; number % 1024 == 0 && at + 1 < suffixes.size(); at++) number >>= 10;
    return std::to_string(number) + suffixes[at];
}

std::string unit_of_cgroup(std::string_view text)
{
    constexpr std::string_view ends[] = {".service", ".scope", ".socket", ".mount", ".swap"};
    std::string unit;
    while (!text.empty()) {
        auto line = take(text);
        if (!line.starts_with("0::") && line.find(":name=systemd:") == line.npos) continue;
        line.remove_prefix(std::min(line.find('/'), line.size()));
        while (!line.empty()) {
            const auto part = take(line, '/');
            if (std::none_of(std::begin(ends), std::end(ends), [&](auto e) { return part.ends_with(e); })) continue;
            unit = part;
            if (part.starts_with("user@")) break;
        }
    }
    return unit;
}

std::optional<LimitsLine> LimitsLine::parse(std::string_view line)
{
    const auto words = cut(take(line, '#'), " \t\r");
    if (words.size() < 4 || words[2] != "memlock" || (words[1] != "-" && words[1] != "soft" && words[1] != "hard"))
        return {};
    return LimitsLine{words[0], words[3]};
}

HostFile memlock_file(const MemlockTarget &target, const std::optional<MemlockSize> &size)
{
    HostFile file;
    const bool is_unit = target.kind == Kind::unit;
    file.own_directory = is_unit;
    file.directory = is_unit ? std::string(units_directory) + "/" + target.name + ".d" : std::string(limits_directory);
    file.name = is_unit ? "90-nm-ib-memlock.conf"
                        : (target.kind == Kind::group ? "90-nm-ib-group-" : "90-nm-ib-user-") + target.name + ".conf";
    if (!size) return file;
    const auto command = "memlock " + target.str() + " ";
    const auto bytes = size->bytes;
    const auto section = target.name.ends_with(".service")  ? "Service"
                         : target.name.ends_with(".socket") ? "Socket"
                         : target.name.ends_with(".mount")  ? "Mount"
                                                            : "Swap";
    const auto body =
        is_unit ? "[" + std::string(section) + "]\nLimitMEMLOCK=" + (bytes ? std::to_string(*bytes) : "infinity") + "\n"
                : target.str() + " - memlock " + // KiB (limits.conf(5))
                      (bytes ? std::to_string(*bytes >> 10) : "unlimited") + "\n";
    file.text = host_text(command + size->str(), command + "unset", body);
    return file;
}

} // namespace nmib
