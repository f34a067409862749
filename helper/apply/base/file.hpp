// SPDX-License-Identifier: LGPL-2.1-or-later
/// Files of ours: whole or not there, never half.
#pragma once
#include "core/base/result.hpp"
#include "probe/base/dir.hpp"

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace nmib
{

/// Writes beside it, syncs, renames over it and syncs the directory. `name` is one path component. A crash leaves the
/// old or the new content, and perhaps a hidden file beside it, ".nm-infiniband.<pid>". After an error the old content
/// stands, or the new one if only the directory could not be synced.
Result<void> write_file(const Dir &dir, const std::string &name, const std::string &content, unsigned mode = 0644);
/// Removes such hidden files of writers that are no more: for directories that outlive a boot. A number may be another
/// process's by now: then the file stays until a later time. There is no lock: whoever can read a directory can lock it
/// too, and would hold us up for good.
void remove_leftovers(const Dir &dir);
/// Writes a value into a file of the kernel below `dir`, in one piece. The Error begins with `where`.
Result<void> write_value(const Dir &dir, const std::string &file, std::string_view value, const std::string &where);
/// A lock between processes of ours: a file that only root can open, so that no other user can hold the lock. The file
/// goes with this object. Without the directory, or for an ordinary user, there is no lock.
class FileLock
{
public:
    /// Waits for the lock. `waits`: called before that, if another process holds the lock.
    FileLock(const std::string &directory, const char *name, void (*waits)() = nullptr);
    ~FileLock();
    FileLock(const FileLock &) = delete;
    FileLock &operator=(const FileLock &) = delete;

private:
    std::optional<Dir> dir_{};
    const char *name_;
    UniqueFd fd_{};
};

/// Not there is as good as removed.
Result<void> remove_file(const Dir &dir, const std::string &name);
/// A directory of ours, made if it is missing (0755). One that is not root's or that others can write is refused.
Result<Dir> make_dir(const std::string &path);
/// A name for a copy beside a file, which no program reads there: NAME.before-nm-ib.bak, or with a number.
Result<std::string> free_copy_name(const Dir &dir, const std::string &name);

struct FileChange {
    std::string directory, name;
    std::optional<std::string> text; ///< nothing: the file goes
    bool own_directory = false;      ///< is made where it is missing, and goes when it is empty
};

/// Several files, of which all are changed or none.
class FileChanges
{
public:
    /// After an Error every file is as before.
    static Result<FileChanges> make(std::span<const FileChange> changes);
    /// As before `make`.
    Result<void> undo() const;

private:
    std::vector<FileChange> before_{};
};

} // namespace nmib
