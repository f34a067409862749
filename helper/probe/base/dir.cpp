// SPDX-License-Identifier: LGPL-2.1-or-later
#include "probe/base/dir.hpp"

#include "core/base/text.hpp"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <dirent.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <memory>
#include <new>
#include <string>
#include <sys/stat.h>
#include <sys/syscall.h>

namespace nmib
{

namespace
{
int failed(int why) noexcept
{
    errno = why;
    return -1;
}

/// The kernel's link to an open file. A thread may have a table of files of its own.
std::string by_number(int fd) { return "/proc/thread-self/fd/" + std::to_string(fd); }

/// Returns the path without links and dots, with a slash at the end; empty if the kernel has no path.
std::string path_of(int fd)
{
    std::string path(PATH_MAX, '\0');
    const auto n = ::readlink(by_number(fd).c_str(), path.data(), path.size());
    path.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
    return path.empty() || path == "/" ? path : path + "/";
}
} // namespace

int open_checked(int dirfd, const char *path, int flags) noexcept
try {
    const UniqueFd file(::openat(dirfd, path, O_PATH | O_CLOEXEC | (flags & O_DIRECTORY)));
    if (!file) return -1;
    const auto top = path_of(dirfd);
    if (top.empty() || !path_of(file.get()).starts_with(top)) return failed(EXDEV);
    return ::open(by_number(file.get()).c_str(), flags | O_CLOEXEC);
} catch (const std::bad_alloc &) {
    return failed(ENOMEM);
}

int open_below(int dirfd, const char *path, int flags) noexcept
{
    open_how how{};
    how.flags = static_cast<unsigned>(flags | O_CLOEXEC);
    how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
    // EAGAIN: something, perhaps elsewhere, was renamed or mounted while ".." was followed.
    int fd = -1;
    for (int tries = 0; tries < 1000; tries++) {
        fd = static_cast<int>(::syscall(SYS_openat2, dirfd, path, &how, sizeof(how)));
        if (fd >= 0 || errno != EAGAIN) break;
    }
    return fd < 0 && errno == ENOSYS ? open_checked(dirfd, path, flags) : fd;
}

std::pair<std::string, std::string> split_path(const std::string &path)
{
    const auto slash = path.rfind('/');
    if (slash == path.npos) return {".", path};
    return {path.substr(0, std::max<std::size_t>(slash, 1)), path.substr(slash + 1)};
}

Result<std::string> read_file(const std::string &path, std::size_t limit, bool trusted)
{
    const auto [directory, name] = split_path(path);
    const auto dir = Dir::open(directory);
    return dir ? dir->read(name, limit, trusted) : dir.error();
}

std::vector<std::string> names_in(const std::string &path)
{
    const auto dir = Dir::open(path);
    return dir ? dir->names(".") : std::vector<std::string>{};
}

Result<Dir> Dir::open(const std::string &path)
{
    UniqueFd fd(::open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (!fd) return sys_error(errno, path);
    return Dir(std::move(fd), path);
}

Result<Dir> Dir::sub(const std::string &path) const
{
    UniqueFd fd(open_below(fd_.get(), path.c_str(), O_PATH | O_DIRECTORY));
    if (!fd) return sys_error(errno, path_ + "/" + path);
    return Dir(std::move(fd), path_ + "/" + path);
}

Result<UniqueFd> Dir::open_trusted(const std::string &path) const
{
    auto file = open_file(path, true);
    if (!file) return file.error();
    return std::move(file->fd);
}

Result<Dir::Opened> Dir::open_file(const std::string &path, bool trusted) const
{
    const auto where = [&] { return path_ + "/" + path; };
    UniqueFd fd(open_below(fd_.get(), path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY));
    if (!fd && (errno == EXDEV || errno == ELOOP))
        return Error{Error::Kind::denied,
                     where() + ": the symlink leaves the directory" + (trusted ? ", ignoring" : "")};
    if (!fd) return sys_error(errno, where());
    struct stat st {
    };
    if (::fstat(fd.get(), &st) != 0) return sys_error(errno, where());
    if (!S_ISREG(st.st_mode)) return Error{Error::Kind::invalid, where() + ": not a regular file"};
    if (trusted && ((st.st_uid != 0 && st.st_uid != ::geteuid()) || (st.st_mode & (S_IWGRP | S_IWOTH)) != 0))
        return Error{Error::Kind::denied, where() + ": users other than root can write the file (chown root, chmod "
                                                    "go-w), ignoring"};
    return Opened{std::move(fd), static_cast<std::size_t>(st.st_size)};
}

Result<void> Dir::only_root_writes() const
{
    struct stat st {
    };
    if (::fstat(fd_.get(), &st) != 0) return sys_error(errno, path_);
    if ((st.st_uid != 0 && st.st_uid != ::geteuid()) || (st.st_mode & (S_IWGRP | S_IWOTH)) != 0)
        return Error{Error::Kind::denied, path_ + ": users other than root can write there (chown root, chmod go-w)"};
    return {};
}

Result<std::string> Dir::read(const std::string &path, std::size_t limit, bool trusted) const
{
    const auto where = [&] { return path_ + "/" + path; };
    const auto file = open_file(path, trusted);
    if (!file) return file.error();
    std::string text;
    std::size_t n = 0;
    while (n <= limit) {
        // One byte more than the file's size, so that the next read finds the end. A file of /proc/sys has the size 0,
        // and gives its number to the first read only.
        const auto room = n == 0 ? std::max<std::size_t>(file->size + 1, 64) : n + 4096;
        if (n == text.size()) text.resize(std::min(room, limit + 1));
        const auto r = ::read(file->fd.get(), text.data() + n, text.size() - n);
        if (r < 0 && errno == EINTR) continue;
        if (r < 0) return sys_error(errno, where());
        if (r == 0) break;
        n += static_cast<std::size_t>(r);
    }
    if (n > limit) return Error{Error::Kind::invalid, where() + ": larger than " + std::to_string(limit) + " bytes"};
    text.resize(n);
    return text;
}

std::string Dir::line(const std::string &path) const
{
    const auto text = read(path, 256);
    return text ? std::string(trim(*text)) : "";
}

std::optional<std::uint64_t> Dir::decimal(const std::string &path, std::uint64_t max) const
{
    return parse_decimal(line(path), max);
}

std::optional<std::uint64_t> Dir::hexadecimal(const std::string &path, std::uint64_t max) const
{
    return parse_hex(line(path), max);
}

Result<std::string> Dir::symlink_target(const std::string &path) const
{
    std::string target(PATH_MAX, '\0');
    const auto n = ::readlinkat(fd_.get(), path.c_str(), target.data(), target.size());
    if (n < 0) return sys_error(errno, path_ + "/" + path);
    target.resize(static_cast<std::size_t>(n));
    return target;
}

Result<std::string> Dir::symlink_name(const std::string &path) const
{
    const auto target = symlink_target(path);
    return target ? target->substr(target->rfind('/') + 1) : target;
}

Result<bool> Dir::exists(const std::string &path) const
{
    const UniqueFd fd(open_below(fd_.get(), path.c_str(), O_PATH));
    if (!fd && errno != ENOENT) return sys_error(errno, path_ + "/" + path);
    return static_cast<bool>(fd);
}

Result<std::vector<std::string>> Dir::list(std::size_t limit) const
{
    UniqueFd fd(open_below(fd_.get(), ".", O_RDONLY | O_DIRECTORY));
    if (!fd) return sys_error(errno, path_);
    const std::unique_ptr<DIR, int (*)(DIR *)> dir(::fdopendir(fd.get()), ::closedir);
    if (!dir) return sys_error(errno, path_);
    (void)fd.release(); // the stream now owns it
    std::vector<std::string> names;
    for (;;) {
        errno = 0;
        const dirent *e = ::readdir(dir.get());
        if (!e && errno != 0) return sys_error(errno, path_);
        if (!e) break;
        const std::string_view name = e->d_name;
        if (name == "." || name == "..") continue;
        if (names.size() == limit)
            return Error{Error::Kind::invalid, path_ + ": more than " + std::to_string(limit) + " entries"};
        names.emplace_back(name);
    }
    std::sort(names.begin(), names.end());
    return names;
}

std::vector<std::string> Dir::names(const std::string &path) const
{
    const auto dir = sub(path);
    auto all = dir ? dir->list(1 << 22) : dir.error();
    return all ? std::move(*all) : std::vector<std::string>{};
}

Result<std::map<std::string, std::string>> layered_files(std::span<const std::string> directories,
                                                         std::string_view ending, std::size_t most)
{
    std::map<std::string, std::string> files;
    for (const auto &directory : directories) {
        const auto dir = Dir::open(directory);
        if (!dir && dir.error().kind == Error::Kind::absent) continue;
        const auto names = dir.and_then([&](auto &d) { return d.list(most); });
        if (!names) return names.error();
        for (const auto &name : *names)
            if (name.ends_with(ending) && !name.starts_with('.')) files.emplace(name, directory + "/" + name);
    }
    return files;
}

std::vector<std::string> layers_of(const std::string &folder, const std::string &root)
{
    std::vector<std::string> all;
    for (const auto *d : {"/etc", "/run", "/usr/local/lib", "/usr/lib"}) all.push_back(root + d + "/" + folder);
    return all;
}

Result<std::string> read_layered(const std::string &path, std::size_t limit)
{
    const std::unique_ptr<char, void (*)(void *)> real(::realpath(path.c_str(), nullptr), std::free);
    struct stat st {
    };
    if (!real || ::stat(real.get(), &st) != 0) {
        // A link to nothing masks the files after it (systemd 252, conf-files.c).
        return errno == ENOENT ? Result<std::string>(std::string{}) : sys_error(errno, path);
    }
    if (S_ISCHR(st.st_mode) || S_ISDIR(st.st_mode)) return std::string{};
    return read_file(real.get(), limit);
}

} // namespace nmib
