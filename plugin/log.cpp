// SPDX-License-Identifier: GPL-2.0-or-later
#include "log.hpp"

#include "core/printable.hpp"

#include <glib.h>
#include <iterator>

namespace nmib
{

namespace
{
/// The domain whose handler NetworkManager installs (nm-logging.c, nm_logging_init); others end up on its stderr.
constexpr const char *domain = "NetworkManager";

GLogLevelFlags level_of(Finding::Severity severity) noexcept
{
    return severity == Finding::Severity::debug  ? G_LOG_LEVEL_DEBUG
           : severity == Finding::Severity::info ? G_LOG_LEVEL_MESSAGE
                                                 : G_LOG_LEVEL_WARNING;
}
} // namespace

void log(Finding::Severity severity, const std::string &line) noexcept
{
    fenced("log", [&] { g_log(domain, level_of(severity), "nm-ib: %s", printable(line).c_str()); });
}

void log(Finding::Severity severity, const std::string &line, const LogContext &context) noexcept
{
    fenced("log", [&] {
        const auto text = "nm-ib: " + printable(line);
        const auto level = level_of(severity);
        const char *priority = level == G_LOG_LEVEL_DEBUG ? "7" : level == G_LOG_LEVEL_MESSAGE ? "5" : "4";
        const GLogField fields[] = {{"MESSAGE", text.c_str(), -1},
                                    {"PRIORITY", priority, -1},
                                    {"SYSLOG_IDENTIFIER", domain, -1},
                                    {"NM_DEVICE", context.device.c_str(), -1},
                                    {"NM_CONNECTION", context.connection.c_str(), -1}};
        if (g_log_writer_journald(level, fields, std::size(fields), nullptr) != G_LOG_WRITER_HANDLED)
            log(severity, line);
    });
}

void detail::log_exception(const char *where, const char *what) noexcept
{
    g_log(domain, G_LOG_LEVEL_WARNING, "nm-ib: %s: %s; nothing done", where, what); // allocates nothing of ours
}

} // namespace nmib
