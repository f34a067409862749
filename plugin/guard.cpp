// SPDX-License-Identifier: GPL-2.0-or-later
#include "guard.hpp"

#include "apply/file.hpp"
#include "log.hpp"

#include "config.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>

namespace nmib
{

namespace
{
/// The marker, for reading and writing. What is no file of root's is put out of the way.
Result<UniqueFd> open_marker(const Dir &state)
{
    const auto where = state.path() + "/" + GuardRecord::file;
    constexpr int flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
    for (const bool again : {false, true}) {
        UniqueFd fd(::openat(state.fd(), GuardRecord::file, flags, 0644));
        struct stat st {
        };
        if (fd && ::fstat(fd.get(), &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == ::geteuid() && st.st_nlink == 1 &&
            (st.st_mode & (S_IWGRP | S_IWOTH)) == 0)
            return fd;
        if (again || ::unlinkat(state.fd(), GuardRecord::file, 0) != 0) break;
    }
    return sys_error(errno ? errno : EINVAL, where);
}

std::optional<GuardRecord> read_marker(int fd)
{
    char text[GuardRecord::size + 1];
    const auto n = ::pread(fd, text, sizeof(text), 0);
    return n == GuardRecord::size ? GuardRecord::parse({text, GuardRecord::size}) : std::nullopt;
}
} // namespace

Guard &Guard::instance()
{
    static Guard guard;
    return guard;
}

std::optional<std::string> Guard::begin()
{
    const auto state = make_dir(NMIB_STATE);
    auto fd = state ? open_marker(*state) : Result<UniqueFd>(state.error());
    if (!fd) {
        log(Finding::Severity::warning, "no crash marker: " + fd.error().what);
        return std::nullopt;
    }
    const auto last = read_marker(fd->get()).value_or(GuardRecord{});
    const auto file = std::string(NMIB_STATE "/") + GuardRecord::file;
    const auto way_out = "; not loaded, built-in handling stays in charge. Remove " + file +
                         " to try again, or set plugin=false in " NMIB_CONF " to keep it so";
    if (last.inside) return "NetworkManager ended while this plugin was at work" + way_out;
    if (last.unstable_now() >= GuardRecord::most_unstable)
        return "NetworkManager ended " + std::to_string(last.unstable_now()) + " times in a row within " +
               std::to_string(calm_after) + " seconds of loading this plugin" + way_out;
    fd_ = std::move(*fd);
    record_ = {.unstable = last.unstable_now()};
    write();
    return std::nullopt;
}

void Guard::loaded()
{
    record_.pid = ::getpid();
    record_.start = process_start(record_.pid).value_or(0);
    record_.calm = false;
    write();
}

void Guard::calm()
{
    record_.calm = true;
    record_.unstable = 0;
    write();
}

void Guard::end() noexcept
{
    ended_ = true;
    record_ = {};
    write();
}

Guard::~Guard()
{
    if (!ended_ && record_.pid == ::getpid()) end();
}

void Guard::write() noexcept
{
    if (!fd_) return;
    record_.inside = depth_ > 0 && !ended_;
    fenced("crash marker", [&] {
        const auto text = record_.str();
        (void)!::pwrite(fd_.get(), text.data(), text.size(), 0);
    });
}

void Guard::mark(bool inside) noexcept
{
    const char c = GuardRecord::mark(inside);
    if (fd_) (void)!::pwrite(fd_.get(), &c, 1, 0);
}

Guard::Inside::Inside() noexcept
{
    auto &g = instance();
    if (g.depth_++ == 0) g.mark(true);
}

Guard::Inside::~Inside()
{
    auto &g = instance();
    if (--g.depth_ == 0) g.mark(false);
}

} // namespace nmib
