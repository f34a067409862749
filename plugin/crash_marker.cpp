// SPDX-License-Identifier: GPL-2.0-or-later
#include "crash_marker.hpp"

#include "apply/base/file.hpp"

#include "config.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>

namespace nmib
{

namespace
{
/// Replaces the marker by a new file, because a daemon that is still ending writes to the old one. The lock is taken
/// before other users can open the file: a user that can read the file could hold a conflicting lock.
Result<UniqueFd> new_marker(const Dir &state, const MarkerRecord &record)
{
    constexpr const char *temporary = ".crash-marker";
    const auto where = state.path() + "/" + MarkerRecord::file;
    (void)::unlinkat(state.fd(), temporary, 0);
    UniqueFd fd(::openat(state.fd(), temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!fd) return sys_error(errno, where);
    const auto text = record.str();
    if (::write(fd.get(), text.data(), text.size()) == MarkerRecord::size && take_charge(fd.get()) &&
        ::fchmod(fd.get(), 0644) == 0 && ::renameat(state.fd(), temporary, state.fd(), MarkerRecord::file) == 0)
        return fd;
    const auto error = sys_error(errno, where);
    (void)::unlinkat(state.fd(), temporary, 0);
    return error;
}

MarkerRecord left_by_last(const Dir &state)
{
    const auto text = state.read_trusted(MarkerRecord::file, MarkerRecord::size);
    const auto record = text ? MarkerRecord::parse(*text) : std::nullopt;
    return record.value_or(MarkerRecord{});
}
} // namespace

CrashMarker &CrashMarker::instance()
{
    static CrashMarker marker;
    return marker;
}

std::optional<std::string> CrashMarker::begin()
{
    const auto no_marker = [](const Error &error) {
        log(Severity::warning,
            "the crash marker cannot be written, and NetworkManager loads this plugin again after a crash: " +
                error.what);
        return std::nullopt;
    };
    const auto state = make_dir(NMIB_STATE);
    if (!state) return no_marker(state.error());
    const auto last = left_by_last(*state);
    const auto file = std::string(NMIB_STATE "/") + MarkerRecord::file;
    const auto way_out = ": plugin not loaded, using built-in handling instead. Remove " + file +
                         " to try again, or set plugin=false in " NMIB_CONF " to keep the plugin off";
    if (last.inside) return "NetworkManager ended while this plugin was at work" + way_out;
    if (last.unstable >= MarkerRecord::most_unstable)
        return "NetworkManager ended " + std::to_string(last.unstable) + " times in a row within " +
               std::to_string(calm_after) + " seconds of loading this plugin" + way_out;
    auto fd = new_marker(*state, {.inside = depth_ > 0, .unstable = last.unstable});
    if (!fd) return no_marker(fd.error());
    fd_ = std::move(*fd);
    unstable_ = last.unstable;
    process_ = ::getpid();
    return std::nullopt;
}

void CrashMarker::loaded() noexcept { write({.inside = depth_ > 0, .unstable = unstable_ + 1}); }

void CrashMarker::calm() noexcept { write({.inside = depth_ > 0}); }

void CrashMarker::end() noexcept
{
    write({});
    fd_ = {};
}

CrashMarker::~CrashMarker()
{
    if (process_ == ::getpid()) end();
}

void CrashMarker::write(const MarkerRecord &record) noexcept
{
    if (!fd_) return;
    fenced("crash marker", [&] {
        const auto text = record.str();
        (void)!::pwrite(fd_.get(), text.data(), text.size(), 0);
    });
}

void CrashMarker::mark(bool inside) noexcept
{
    const char c = MarkerRecord::mark(inside);
    if (fd_) (void)!::pwrite(fd_.get(), &c, 1, 0);
}

CrashMarker::Inside::Inside() noexcept
{
    auto &m = instance();
    if (m.depth_++ == 0) m.mark(true);
}

CrashMarker::Inside::~Inside()
{
    auto &m = instance();
    if (--m.depth_ == 0) m.mark(false);
}

} // namespace nmib
