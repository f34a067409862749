// SPDX-License-Identifier: LGPL-2.1-or-later
/// Files of ours: whole or not there, never half.
#pragma once
#include "core/result.hpp"
#include "probe/dir.hpp"

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
/// Not there is as good as removed.
Result<void> remove_file(const Dir &dir, const std::string &name);
/// A directory of ours, made if it is missing (0755). One that is not root's or that others can write is refused.
Result<Dir> make_dir(const std::string &path);
/// Removes one that is empty; any other stays.
void remove_empty_dir(const std::string &path);

} // namespace nmib
