// SPDX-License-Identifier: LGPL-2.1-or-later
#include "probe/plan/marker_record.hpp"

#include <cerrno>
#include <fcntl.h>

namespace nmib
{

std::string MarkerRecord::str() const
{
    auto text = std::string(1, mark(inside)) + " nm-ib-marker-1 unstable=" + std::to_string(unstable) +
                " calm=" + (calm ? "1" : "0");
    text.resize(size - 1, ' ');
    return text + '\n';
}

std::optional<MarkerRecord> MarkerRecord::parse(std::string_view text)
{
    // There are few, and only one of them is that text.
    for (const bool inside : {false, true})
        for (const bool calm : {false, true})
            for (unsigned unstable = 0; unstable <= most_unstable; unstable++)
                if (const MarkerRecord record{inside, unstable, calm}; record.str() == text) return record;
    return std::nullopt;
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
