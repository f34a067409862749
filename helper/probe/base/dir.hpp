// SPDX-License-Identifier: LGPL-2.1-or-later
/// A held directory. Everything this project reads is opened below one, so that a test gives its own tree and nobody
/// swaps a path underneath us.
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

// A file descriptor that closes itself.

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
    /// Closes it no more.
    int release() noexcept { return std::exchange(fd_, -1); }

private:
    int fd_ = -1;
};

// Opening below a directory that neither links nor dots can leave.

/// openat(2) with O_CLOEXEC. -1 and errno as openat2(2) has it with RESOLVE_BENEATH and RESOLVE_NO_MAGICLINKS.
int open_below(int dirfd, const char *path, int flags) noexcept;
/// The same where there is no openat2: a service with RestrictSUIDSGID= gets ENOSYS for it, as NetworkManager.service
/// does from 1.58 on. What was found is asked where it is, before it is opened for more than that; so a way that leaves
/// the directory and comes back is allowed here.
int open_checked(int dirfd, const char *path, int flags) noexcept;

/// A path's directory and last component.
std::pair<std::string, std::string> split_path(const std::string &path);

/// The text of the file at a path, as Dir::read has it.
Result<std::string> read_file(const std::string &path, std::size_t limit = 1 << 20, bool trusted = false);
/// The names in the directory at a path, sorted; none where it cannot be read.
std::vector<std::string> names_in(const std::string &path);

class Dir
{
public:
    /// Opens a directory by its path, for holding on to it.
    static Result<Dir> open(const std::string &path);
    /// A directory below this one. Symlinks are followed as long as they stay below (sysfs is made of them).
    Result<Dir> sub(const std::string &path) const;

    /// The whole file, at most `limit` bytes; a larger one is an error. Only regular files: a FIFO or a device is
    /// refused, never waited for.
    Result<std::string> read(const std::string &path, std::size_t limit = 4096, bool trusted = false) const;
    /// The same for a file that decides what root does: it must belong to root (or to whoever runs this) and be
    /// writable by no one but the owner.
    Result<std::string> read_trusted(const std::string &path, std::size_t limit = 65536) const
    {
        return read(path, limit, true);
    }
    /// An Error if a user other than root and the one that runs this can make and rename files in the directory.
    Result<void> only_root_writes() const;
    /// Such a file, opened for reading.
    Result<UniqueFd> open_trusted(const std::string &path) const;
    /// Where a symlink points, as it is written.
    Result<std::string> symlink_target(const std::string &path) const;
    /// The last component of that, e.g. the driver's name behind "device/driver".
    Result<std::string> symlink_name(const std::string &path) const;
    /// An error when it is not known.
    Result<bool> exists(const std::string &path) const;
    /// The text of a short file without white space around it; empty where it cannot be read.
    std::string line(const std::string &path) const;
    /// The number that is the text of a file; nothing where it is none up to `max`.
    std::optional<std::uint64_t> decimal(const std::string &path, std::uint64_t max) const;
    std::optional<std::uint64_t> hexadecimal(const std::string &path, std::uint64_t max) const;
    /// Names in this directory without "." and "..", sorted; at most `limit` of them, more is an error.
    Result<std::vector<std::string>> list(std::size_t limit = 65536) const;
    /// Those in a directory below, sorted; none where it cannot be read.
    std::vector<std::string> names(const std::string &path) const;

    int fd() const noexcept { return fd_.get(); }
    /// For messages.
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

// Files that lie in several directories, as systemd has its configuration: what an earlier directory has hides the
// file of the same name in a later one.

/// Paths by file name, which is the order in which they count. Directories that are not there hold nothing;
/// one that holds more than `most` files is an error.
Result<std::map<std::string, std::string>> layered_files(std::span<const std::string> directories,
                                                         std::string_view ending, std::size_t most = 65536);
/// systemd's directories for `folder` below `root`, the one that counts most first.
std::vector<std::string> layers_of(const std::string &folder, const std::string &root);
/// The text of such a file, wherever a link leads: udev opens the path as it is. Empty when it is masked (empty, or a
/// link to /dev/null), or a link to nothing.
Result<std::string> read_layered(const std::string &path, std::size_t limit);

} // namespace nmib
