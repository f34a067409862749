// SPDX-License-Identifier: LGPL-2.1-or-later
#include "probe/guard.hpp"

#include "core/number.hpp"

#include <array>
#include <climits>
#include <cstdio>

namespace nmib
{

namespace
{
/// The next word, cut off the front of `text`.
std::string_view word(std::string_view &text) noexcept
{
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    const auto w = text.substr(0, text.find(' '));
    text.remove_prefix(w.size());
    return w;
}

std::optional<std::uint64_t> value(std::string_view &text, std::string_view key, std::uint64_t max) noexcept
{
    const auto w = word(text);
    return w.starts_with(key) ? parse_decimal(w.substr(key.size()), max) : std::nullopt;
}
} // namespace

std::string GuardRecord::str() const
{
    std::array<char, size + 1> line{};
    const int n =
        std::snprintf(line.data(), line.size(), "%c nm-ib-guard-1 unstable=%u calm=%d pid=%d start=%llu", mark(inside),
                      unstable, calm, static_cast<int>(pid), static_cast<unsigned long long>(start));
    std::string text(line.data(), static_cast<std::size_t>(n));
    text.resize(size - 1, ' ');
    return text + '\n';
}

std::optional<GuardRecord> GuardRecord::parse(std::string_view text)
{
    if (text.size() != size || text.back() != '\n') return std::nullopt;
    text.remove_suffix(1);
    const auto flag = word(text);
    const bool inside = flag == "!";
    if ((!inside && flag != ".") || word(text) != "nm-ib-guard-1") return std::nullopt;
    const auto unstable = value(text, "unstable=", most_unstable);
    const auto calm = value(text, "calm=", 1);
    const auto pid = value(text, "pid=", INT_MAX);
    const auto start = value(text, "start=", UINT64_MAX);
    if (!unstable || !calm || !pid || !start || !trim(text).empty()) return std::nullopt;
    return GuardRecord{inside, static_cast<unsigned>(*unstable), *calm == 1, static_cast<pid_t>(*pid), *start};
}

std::optional<std::uint64_t> process_start(pid_t pid, const std::string &proc)
{
    const auto dir = Dir::open(proc);
    const auto stat = dir ? dir->read(std::to_string(pid) + "/stat", 4096) : Result<std::string>(dir.error());
    if (!stat) return std::nullopt;
    std::string_view text = *stat; // field 2, the name, is in parentheses and may hold anything
    const auto name_end = text.rfind(')');
    if (name_end == std::string_view::npos) return std::nullopt;
    text.remove_prefix(name_end + 1);
    for (int field = 3; field < 22; field++) word(text);
    return parse_decimal(word(text), UINT64_MAX);
}

std::optional<pid_t> plugin_in_charge(const Dir &state, const std::string &proc)
{
    const auto text = state.read_trusted(GuardRecord::file, GuardRecord::size);
    const auto record = text ? GuardRecord::parse(*text) : std::nullopt;
    if (!record || record->pid == 0 || process_start(record->pid, proc) != record->start) return std::nullopt;
    return record->pid;
}

} // namespace nmib
