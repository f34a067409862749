// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/host/memlock.hpp"

#include "core/base/text.hpp"

#include <algorithm>

namespace nmib
{

namespace
{
constexpr std::string_view suffixes = "KMGT";
} // namespace

bool is_group_name(std::string_view name) noexcept
{
    constexpr std::size_t longest = 64;
    const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    const auto is_one = [&](char c) {
        return is_letter(c) || (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '$';
    };
    return !name.empty() && name.size() <= longest && is_letter(name[0]) &&
           std::all_of(name.begin(), name.end(), is_one);
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

HostFile memlock_file(const std::string &group, const std::optional<MemlockSize> &size)
{
    HostFile file{.directory = std::string(limits_directory), .name = "90-nm-ib-group-" + group + ".conf"};
    if (!size) return file;
    const auto command = "memlock @" + group + " ";
    const auto kib = size->bytes ? std::to_string(*size->bytes >> 10) : "unlimited"; // limits.conf(5)
    file.text = host_text(command + size->str(), command + "unset", "@" + group + " - memlock " + kib + "\n");
    return file;
}

} // namespace nmib
