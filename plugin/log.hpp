// SPDX-License-Identifier: GPL-2.0-or-later
/// Lines in NetworkManager's own log, each beginning with "nm-ib: ".
#pragma once
#include "core/plan/finding.hpp"

#include <exception>
#include <functional>

namespace nmib
{

/// The fields that NetworkManager gives its own lines: nmcli's hint after a failed activation queries the journal for
/// them.
struct LogContext {
    std::string device{};     ///< NM_DEVICE; empty: neither field is written
    std::string connection{}; ///< NM_CONNECTION, the UUID
};
/// Logs one line; control characters in it are made visible. The caller checks whether debug is wanted (Policy::debug).
void log(Finding::Severity severity, const std::string &line, const LogContext &context = {}) noexcept;
using Log = std::function<void(Finding::Severity, const std::string &, const LogContext &)>;

namespace detail
{
void log_exception(const char *where, const char *what) noexcept;
}

/// Nothing may be thrown into NetworkManager's C frames: runs `what`, and logs what it throws.
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
