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

struct Level {
    GLogLevelFlags glib;
    const char *syslog;
};
Level level_of(std::optional<Finding::Severity> severity) noexcept
{
    if (!severity) return {G_LOG_LEVEL_DEBUG, "7"};
    if (*severity == Finding::Severity::info) return {G_LOG_LEVEL_MESSAGE, "5"};
    return {G_LOG_LEVEL_WARNING, "4"};
}
} // namespace

void log(std::optional<Finding::Severity> severity, const std::string &line) noexcept
{
    fenced("log", [&] { g_log(domain, level_of(severity).glib, "nm-ib: %s", printable(line).c_str()); });
}

void log(std::optional<Finding::Severity> severity, const std::string &line, const LogContext &context) noexcept
{
    fenced("log", [&] {
        const auto text = "nm-ib: " + printable(line);
        const auto level = level_of(severity);
        const GLogField fields[] = {{"MESSAGE", text.c_str(), -1},
                                    {"PRIORITY", level.syslog, -1},
                                    {"SYSLOG_IDENTIFIER", domain, -1},
                                    {"NM_DEVICE", context.device.c_str(), -1},
                                    {"NM_CONNECTION", context.connection.c_str(), -1}};
        if (g_log_writer_journald(level.glib, fields, std::size(fields), nullptr) != G_LOG_WRITER_HANDLED)
            log(severity, line);
    });
}

void detail::log_exception(const char *where, const char *what) noexcept
{
    g_log(domain, G_LOG_LEVEL_WARNING, "nm-ib: %s: %s; nothing done", where, what); // allocates nothing of ours
}

} // namespace nmib
