// SPDX-License-Identifier: LGPL-2.1-or-later
#include "apply/name/import.hpp"

#include "apply/base/file.hpp"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>

namespace nmib
{

Result<std::string> take_out(const FragileFile &file, std::span<const FragileName> names)
{
    const auto [where, name] = split_path(file.path);
    const auto dir = make_dir(where);
    if (!dir) return dir.error();
    struct stat st {
    };
    if (::fstatat(dir->fd(), name.c_str(), &st, AT_SYMLINK_NOFOLLOW) != 0) return sys_error(errno, file.path);
    if (!S_ISREG(st.st_mode)) return Error{Error::Kind::refused, file.path + ": not a regular file"};
    const auto now = dir->read(name, 1 << 20);
    if (!now) return now.error();
    if (*now != file.text)
        return Error{Error::Kind::refused, file.path + ": changed by another program meanwhile; run the command again"};
    remove_temporary_files(*dir);
    auto copy = free_copy_name(*dir, name);
    if (!copy) return copy;
    const auto mode = static_cast<unsigned>(st.st_mode & 0777);
    if (auto r = write_file(*dir, *copy, file.text, mode); !r) return r.error();
    const auto done = file.is_rule ? write_file(*dir, name, without(file.text, names), mode) : remove_file(*dir, name);
    if (!done) {
        (void)remove_file(*dir, *copy);
        return done.error();
    }
    return dir->path() + "/" + *copy;
}

} // namespace nmib
