// SPDX-License-Identifier: LGPL-2.1-or-later
#include "apply/base/file.hpp"

#include "core/base/text.hpp"
#include "probe/base/dir.hpp"

#include <cerrno>
#include <climits>
#include <csignal>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace nmib
{

namespace
{
Result<void> write_all(int fd, std::string_view text, const std::string &where)
{
    while (!text.empty()) {
        const auto n = ::write(fd, text.data(), text.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return sys_error(errno, where);
        text.remove_prefix(static_cast<std::size_t>(n));
    }
    return {};
}

Result<void> check_name(const std::string &name, const std::string &where)
{
    if (name.empty() || name == "." || name == ".." || name.find_first_of(std::string_view("/\0", 2)) != name.npos)
        return Error{Error::Kind::invalid, where + ": not a file name"};
    return {};
}

constexpr std::string_view temporary_prefix = ".nm-infiniband.";

} // namespace

Result<void> write_file(const Dir &dir, const std::string &name, const std::string &content, unsigned mode)
{
    const auto where = dir.path() + "/" + name;
    if (auto r = check_name(name, where); !r) return r;
    const UniqueFd sync(::openat(dir.fd(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)); // `dir` is O_PATH
    if (!sync) return sys_error(errno, where);
    // One name per process, so that two writers do not collide.
    const auto temporary = std::string(temporary_prefix) + std::to_string(::getpid());
    (void)::unlinkat(dir.fd(), temporary.c_str(), 0);
    const UniqueFd fd(
        ::openat(dir.fd(), temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode));
    if (!fd) return sys_error(errno, where);
    auto done = ::fchmod(fd.get(), mode) == 0 ? write_all(fd.get(), content, where) : sys_error(errno, where);
    if (done && ::fsync(fd.get()) != 0) done = sys_error(errno, where);
    if (done && ::renameat(dir.fd(), temporary.c_str(), dir.fd(), name.c_str()) != 0) done = sys_error(errno, where);
    if (!done) {
        (void)::unlinkat(dir.fd(), temporary.c_str(), 0);
        return done;
    }
    if (::fsync(sync.get()) != 0) return sys_error(errno, where);
    return {};
}

Result<void> write_value(const Dir &dir, const std::string &file, std::string_view value, const std::string &where)
{
    const UniqueFd fd(open_below(dir.fd(), file.c_str(), O_WRONLY));
    if (!fd) return sys_error(errno, where);
    const auto n = ::write(fd.get(), value.data(), value.size());
    if (n != static_cast<ssize_t>(value.size())) return sys_error(n < 0 ? errno : EIO, where);
    return {};
}

void remove_temporary_files(const Dir &dir)
{
    const auto names = dir.list();
    if (!names) return;
    for (const auto &name : *names) {
        if (!name.starts_with(temporary_prefix)) continue;
        const auto pid = parse_decimal(std::string_view(name).substr(temporary_prefix.size()), INT_MAX);
        if (pid && *pid != 0 && ::kill(static_cast<pid_t>(*pid), 0) != 0 && errno == ESRCH)
            (void)::unlinkat(dir.fd(), name.c_str(), 0);
    }
}

Result<void> remove_file(const Dir &dir, const std::string &name)
{
    const auto where = dir.path() + "/" + name;
    if (auto r = check_name(name, where); !r) return r;
    if (::unlinkat(dir.fd(), name.c_str(), 0) != 0 && errno != ENOENT) return sys_error(errno, where);
    return {};
}

Result<Dir> make_dir(const std::string &path)
{
    const bool made = ::mkdir(path.c_str(), 0755) == 0;
    if ((!made && errno != EEXIST) || (made && ::chmod(path.c_str(), 0755) != 0)) return sys_error(errno, path);
    auto dir = Dir::open(path);
    if (!dir) return dir;
    if (const auto r = dir->only_root_writes(); !r) return r.error();
    return dir;
}

FileLock::FileLock(const std::string &directory, const char *name, void (*waits)()) : name_(name)
{
    auto dir = make_dir(directory);
    if (!dir) return;
    dir_.emplace(std::move(*dir));
    for (;;) {
        fd_ = UniqueFd(::openat(dir_->fd(), name_, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
        if (!fd_) return;
        const bool is_free = ::flock(fd_.get(), LOCK_EX | LOCK_NB) == 0;
        if (!is_free && waits) std::exchange(waits, nullptr)();
        if (!is_free && ::flock(fd_.get(), LOCK_EX) != 0) { // interrupted by a signal: another process owns the file
            fd_ = UniqueFd();
            return;
        }
        struct stat held {
        }, there{};
        if (::fstat(fd_.get(), &held) == 0 && ::fstatat(dir_->fd(), name_, &there, AT_SYMLINK_NOFOLLOW) == 0 &&
            held.st_ino == there.st_ino)
            return;
    } // the process that held the lock has removed the file
}

FileLock::~FileLock()
{
    if (fd_) ::unlinkat(dir_->fd(), name_, 0);
}

Result<std::string> free_copy_name(const Dir &dir, const std::string &name)
{
    for (int n = 1; n < 1000; n++) {
        const auto copy = name + ".before-nm-ib" + (n == 1 ? "" : "." + std::to_string(n)) + ".bak";
        const auto there = dir.exists(copy);
        if (!there) return there.error();
        if (!*there) return copy;
    }
    return Error{Error::Kind::refused, dir.path() + "/" + name + ".before-nm-ib.bak: too many copies"};
}

namespace
{
Result<void> change(const FileChange &file)
{
    if (!file.text) {
        const auto dir = Dir::open(file.directory);
        if (!dir) return dir.error().kind == Error::Kind::absent ? Result<void>() : dir.error();
        auto removed = remove_file(*dir, file.name);
        if (removed && file.own_directory) (void)::rmdir(file.directory.c_str()); // fails unless it is empty
        return removed;
    }
    const auto dir = file.own_directory ? make_dir(file.directory) : Dir::open(file.directory);
    if (!dir) return dir.error();
    if (const auto r = dir->only_root_writes(); !r) return r.error();
    remove_temporary_files(*dir);
    return write_file(*dir, file.name, *file.text);
}
} // namespace

Result<FileChanges> FileChanges::make(std::span<const FileChange> changes)
{
    FileChanges done;
    for (const auto &c : changes) {
        const auto dir = Dir::open(c.directory);
        auto text = dir.and_then([&](auto &d) { return d.read(c.name, 1 << 20); });
        auto before = c;
        before.text = text ? std::optional(std::move(*text)) : std::nullopt;
        auto r = text || text.error().kind == Error::Kind::absent ? change(c) : Result<void>(text.error());
        if (!r) {
            (void)done.undo();
            return r.error();
        }
        done.before_.push_back(std::move(before));
    }
    return done;
}

Result<void> FileChanges::undo() const
{
    for (auto file = before_.rbegin(); file != before_.rend(); ++file)
        if (auto r = change(*file); !r) return r;
    return {};
}

} // namespace nmib
