// SPDX-License-Identifier: GPL-2.0-or-later
/// Lines in NetworkManager's log, each beginning with "nm-ib: ".
#pragma once
#include "core/plan/finding.hpp"

#include <exception>
#include <functional>

namespace nmib
{

/// Fields of NetworkManager's own lines: after a failed activation, nmcli suggests a journal query for them.
struct LogContext {
    std::string device{};     ///< NM_DEVICE; if empty, neither field is written
    std::string connection{}; ///< NM_CONNECTION, a UUID
};
/// Logs one line, with control characters made visible. For level debug, the caller checks Policy::debug.
void log(Severity severity, const std::string &line, const LogContext &context = {}) noexcept;
using Log = std::function<void(Severity, const std::string &, const LogContext &)>;

namespace detail
{
void log_exception(const char *where, const char *what) noexcept;
}

/// Runs `what` and logs its exceptions: an exception must not reach NetworkManager's C frames.
template<class F> void fenced(const char *where, F &&what) noexcept
{
    try {
        what();
    } catch (const std::exception &e) {
        detail::log_exception(where, e.what());
    } catch (...) {
        detail::log_exception(where, "unknown exception");
    }
}

} // namespace nmib
