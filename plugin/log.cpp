// SPDX-License-Identifier: GPL-2.0-or-later
#include "log.hpp"

#include "core/printable.hpp"

#include <glib.h>

namespace nmib
{

namespace
{
/// The domain whose handler NetworkManager installs (nm-logging.c, nm_logging_init); others end up on its stderr.
constexpr const char *domain = "NetworkManager";
} // namespace

void log(Finding::Severity severity, const std::string &line) noexcept
{
    const auto level = severity == Finding::Severity::info ? G_LOG_LEVEL_MESSAGE : G_LOG_LEVEL_WARNING;
    fenced("log", [&] { g_log(domain, level, "nm-ib: %s", printable(line).c_str()); });
}

void detail::log_exception(const char *where, const char *what) noexcept
{
    g_log(domain, G_LOG_LEVEL_WARNING, "nm-ib: %s: %s; nothing done", where, what); // allocates nothing of ours
}

} // namespace nmib
