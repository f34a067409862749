// SPDX-License-Identifier: LGPL-2.1-or-later
/// Files of this project, written atomically.
#pragma once
#include "core/base/result.hpp"
#include "probe/base/dir.hpp"

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace nmib
{

/// Writes a temporary file, syncs, renames and syncs the directory. `name` is one path component. A crash leaves the
/// old or the new content, and perhaps the temporary file, ".nm-infiniband.<pid>". After an Error the old content
/// stays, or the new content if only the sync of the directory failed.
Result<void> write_file(const Dir &dir, const std::string &name, const std::string &content, unsigned mode = 0644);
/// Removes temporary files of processes that have ended, in directories that survive a boot. If another process has the
/// PID by now, the file stays until a later call. Uses no lock: any user that can read a directory could hold the lock.
void remove_temporary_files(const Dir &dir);
/// Writes a value into a kernel file below `dir`, with one write(2). The Error begins with `where`.
Result<void> write_value(const Dir &dir, const std::string &file, std::string_view value, const std::string &where);
/// A lock between processes of this project, on a file that only root can open: no other user can hold the lock. The
/// destructor removes the file. Without the directory, or for an ordinary user, there is no lock.
class FileLock
{
public:
    /// Waits for the lock. If another process holds the lock, calls `waits` first.
    FileLock(const std::string &directory, const char *name, void (*waits)() = nullptr);
    ~FileLock();
    FileLock(const FileLock &) = delete;
    FileLock &operator=(const FileLock &) = delete;

private:
    std::optional<Dir> dir_{};
    const char *name_;
    UniqueFd fd_{};
};

/// Removes a file. A missing file is no Error.
Result<void> remove_file(const Dir &dir, const std::string &name);
/// Opens a directory of this project, made with mode 0755 if missing. Refuses a directory that other users can write.
Result<Dir> make_dir(const std::string &path);
/// Returns a free name for a copy that no program reads: NAME.before-nm-ib.bak, or NAME.before-nm-ib.N.bak.
Result<std::string> free_copy_name(const Dir &dir, const std::string &name);

struct FileChange {
    std::string directory, name;
    std::optional<std::string> text; ///< nothing: the file is removed
    bool own_directory = false;      ///< made if missing, removed if empty
};

/// Changes several files: all, or none.
class FileChanges
{
public:
    /// After an Error every file is as before.
    static Result<FileChanges> make(std::span<const FileChange> changes);
    /// Restores the files as before make().
    Result<void> undo() const;

private:
    std::vector<FileChange> before_{};
};

} // namespace nmib
