// SPDX-License-Identifier: LGPL-2.1-or-later
#include "probe/marker_record.hpp"

#include "core/number.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>

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

std::string MarkerRecord::str() const
{
    std::array<char, size + 1> line{};
    const int n =
        std::snprintf(line.data(), line.size(), "%c nm-ib-marker-1 unstable=%u calm=%d", mark(inside), unstable, calm);
    std::string text(line.data(), static_cast<std::size_t>(n));
    text.resize(size - 1, ' ');
    return text + '\n';
}

std::optional<MarkerRecord> MarkerRecord::parse(std::string_view text)
{
    if (text.size() != size || text.back() != '\n') return std::nullopt;
    text.remove_suffix(1);
    const auto flag = word(text);
    const bool inside = flag == "!";
    if ((!inside && flag != ".") || word(text) != "nm-ib-marker-1") return std::nullopt;
    const auto unstable = value(text, "unstable=", most_unstable);
    const auto calm = value(text, "calm=", 1);
    if (!unstable || !calm || !trim(text).empty()) return std::nullopt;
    return MarkerRecord{inside, static_cast<unsigned>(*unstable), *calm == 1};
}

Result<void> take_charge(int fd)
{
    struct flock lock {
    };
    lock.l_type = F_WRLCK;
    return ::fcntl(fd, F_OFD_SETLK, &lock) == 0 ? Result<void>() : sys_error(errno, MarkerRecord::file);
}

bool plugin_in_charge(const Dir &state)
{
    const auto file = state.open_trusted(MarkerRecord::file);
    struct flock lock {
    };
    lock.l_type = F_RDLCK; // which only a lock for writing is in the way of
    return file && ::fcntl(file->get(), F_OFD_GETLK, &lock) == 0 && lock.l_type == F_WRLCK;
}

} // namespace nmib
