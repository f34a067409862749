// SPDX-License-Identifier: LGPL-2.1-or-later
#include "probe/doctor/kernel_log.hpp"

#include "core/base/number.hpp"
#include "probe/base/unique_fd.hpp"

#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

namespace nmib
{

std::optional<KernelLine> parse_kernel_record(std::string_view record)
{
    if (record.find(';') == record.npos) return {};
    auto head = take(record, ';'); // priority, sequence number, microseconds, flags
    for (int i = 0; i < 2; i++) (void)take(head, ',');
    const auto usec = parse_decimal(take(head, ','), UINT64_MAX / 2);
    if (!usec) return {};
    return KernelLine{*usec, std::string(take(record))}; // below are its properties
}

Result<std::vector<KernelLine>> read_kernel_log()
{
    constexpr const char *path = "/dev/kmsg";
    const UniqueFd fd(::open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC));
    if (!fd) return sys_error(errno, path);
    std::vector<KernelLine> lines;
    char record[8192]; // a read that is too short is refused, and the kernel's records are shorter
    for (;;) {
        const auto n = ::read(fd.get(), record, sizeof record);
        if (n < 0 && (errno == EPIPE || errno == EINTR)) continue; // a record was overwritten meanwhile
        if (n <= 0) break;
        if (auto line = parse_kernel_record({record, static_cast<std::size_t>(n)})) lines.push_back(std::move(*line));
    }
    return lines;
}

} // namespace nmib
