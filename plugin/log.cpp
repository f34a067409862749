// SPDX-License-Identifier: GPL-2.0-or-later
#include "log.hpp"

#include "core/base/text.hpp"

#include <glib.h>
#include <iterator>

namespace nmib
{

namespace
{
/// The domain for which NetworkManager installs a handler (nm-logging.c, nm_logging_init). Others go to stderr.
constexpr const char *domain = "NetworkManager";

/// Writes to the journal, or to NetworkManager's handler if there is no journal. The level is never a GLib warning,
/// because with --g-fatal-warnings GLib then ends the process. Only the field PRIORITY shows a warning.
void write(Severity severity, const char *text, const LogContext &context)
{
    using enum Severity;
    const GLogField fields[] = {{"MESSAGE", text, -1},
                                {"PRIORITY",
                                 severity == debug     ? "7"
                                 : severity == note    ? "6"
                                 : severity == warning ? "4"
                                                       : "3",
                                 -1},
                                {"SYSLOG_IDENTIFIER", domain, -1},
                                {"SYSLOG_FACILITY", "3", -1}, // LOG_DAEMON, as in NetworkManager's own lines
                                {"NM_DEVICE", context.device.c_str(), -1},
                                {"NM_CONNECTION", context.connection.c_str(), -1}};
    const auto level = severity == debug ? G_LOG_LEVEL_DEBUG : G_LOG_LEVEL_MESSAGE;
    const auto n = std::size(fields) - (context.device.empty() ? 2 : 0);
    if (g_log_writer_journald(level, fields, n, nullptr) != G_LOG_WRITER_HANDLED) g_log(domain, level, "%s", text);
}
} // namespace

void log(Severity severity, const std::string &line, const LogContext &context) noexcept
{
    fenced("log", [&] { write(severity, ("nm-ib: " + printable(line)).c_str(), context); });
}

void detail::log_exception(const char *where, const char *what) noexcept
{
    char text[512]; // no allocation: memory may be exhausted
    g_snprintf(text, sizeof(text), "nm-ib: %s: %s, ignoring", where, what);
    write(Severity::warning, text, {});
}

} // namespace nmib
