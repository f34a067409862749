// SPDX-License-Identifier: LGPL-2.1-or-later
/// A held directory. Each file is opened below one: tests use their own tree, and no process can swap the path.
#pragma once
#include "core/base/result.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unistd.h>
#include <utility>
#include <vector>

namespace nmib
{

// Owns a file descriptor.

class UniqueFd
{
public:
    UniqueFd() = default;
    explicit UniqueFd(int fd) noexcept : fd_(fd) {}
    UniqueFd(UniqueFd &&other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    UniqueFd &operator=(UniqueFd &&other) noexcept
    {
        std::swap(fd_, other.fd_);
        return *this;
    }
    ~UniqueFd()
    {
        if (fd_ >= 0) ::close(fd_);
    }
    explicit operator bool() const noexcept { return fd_ >= 0; }
    int get() const noexcept { return fd_; }
    /// Gives up ownership.
    int release() noexcept { return std::exchange(fd_, -1); }

private:
    int fd_ = -1;
};

// Opening below a directory, which neither links nor dots can leave.

/// openat(2) with O_CLOEXEC. On error -1 and errno of openat2(2) with RESOLVE_BENEATH and RESOLVE_NO_MAGICLINKS.
int open_below(int dirfd, const char *path, int flags) noexcept;
/// The same without openat2, for which a service with RestrictSUIDSGID= gets ENOSYS (NetworkManager.service from 1.58
/// on). Opens with O_PATH, checks the path, then reopens. So a path may leave the directory and come back.
int open_checked(int dirfd, const char *path, int flags) noexcept;

/// Returns the directory and the last component of a path.
std::pair<std::string, std::string> split_path(const std::string &path);

/// Works like Dir::read.
Result<std::string> read_file(const std::string &path, std::size_t limit = 1 << 20, bool trusted = false);
/// Returns the sorted names in a directory; none if it cannot be read.
std::vector<std::string> names_in(const std::string &path);

class Dir
{
public:
    static Result<Dir> open(const std::string &path);
    /// Opens a directory below this one. Follows symlinks that stay below (sysfs consists of them).
    Result<Dir> sub(const std::string &path) const;

    /// Reads a whole regular file. Error: more than `limit` bytes. Refuses a FIFO or device, without waiting.
    Result<std::string> read(const std::string &path, std::size_t limit = 4096, bool trusted = false) const;
    /// The same for a file that decides what root does. Error: other users than root and the caller can write it.
    Result<std::string> read_trusted(const std::string &path, std::size_t limit = 65536) const
    {
        return read(path, limit, true);
    }
    /// Error: other users than root and the caller can make and rename files in the directory.
    Result<void> only_root_writes() const;
    /// Opens a file for reading, with the checks of read_trusted().
    Result<UniqueFd> open_trusted(const std::string &path) const;
    /// Returns the unresolved target of a symlink.
    Result<std::string> symlink_target(const std::string &path) const;
    /// Returns the last component of the target, e.g. the driver's name for "device/driver".
    Result<std::string> symlink_name(const std::string &path) const;
    /// Error: the answer is unknown.
    Result<bool> exists(const std::string &path) const;
    /// Returns the trimmed text of a file of at most 256 bytes; empty if it cannot be read.
    std::string line(const std::string &path) const;
    /// Returns the number in a file; nothing unless it is a number up to `max`.
    std::optional<std::uint64_t> decimal(const std::string &path, std::uint64_t max) const;
    std::optional<std::uint64_t> hexadecimal(const std::string &path, std::uint64_t max) const;
    /// Returns the sorted names without "." and "..". Error: more than `limit` names.
    Result<std::vector<std::string>> list(std::size_t limit = 65536) const;
    /// Returns the sorted names in a directory below; none if it cannot be read.
    std::vector<std::string> names(const std::string &path) const;

    int fd() const noexcept { return fd_.get(); }
    const std::string &path() const noexcept { return path_; }

private:
    struct Opened {
        UniqueFd fd;
        std::size_t size;
    };
    Result<Opened> open_file(const std::string &path, bool trusted) const;
    Dir(UniqueFd fd, std::string path) : fd_(std::move(fd)), path_(std::move(path)) {}
    UniqueFd fd_;
    std::string path_;
};

// Files in several directories, like systemd's configuration: a file hides files of the same name in later directories.

/// Returns paths by file name, in reading order. Missing directories are empty. Error: more than `most` files in one.
Result<std::map<std::string, std::string>> layered_files(std::span<const std::string> directories,
                                                         std::string_view ending, std::size_t most = 65536);
/// Returns systemd's directories for `folder` below `root`, highest priority first.
std::vector<std::string> layers_of(const std::string &folder, const std::string &root);
/// Reads a file, following any link, like udev. Masked files (empty, link to /dev/null or to nothing) read as empty.
Result<std::string> read_layered(const std::string &path, std::size_t limit);

} // namespace nmib
