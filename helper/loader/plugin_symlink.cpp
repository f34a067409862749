// SPDX-License-Identifier: LGPL-2.1-or-later
#include "loader/plugin_symlink.hpp"

#include "config.h"
#include "loader/version.hpp"
#include "probe/base/dir.hpp"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace nmib
{

namespace
{
bool is_symlink_to(const std::string &object, const Dir &dir, const std::string &name)
{
    const auto target = dir.symlink_target(name);
    return target && *target == object;
}

Error not_made(const std::string &path)
{
    if (errno != EROFS) return sys_error(errno, path);
    return Error{Error::Kind::denied, path + ": not made, the file system is read-only; in the image's build, after "
                                             "NetworkManager is installed: " NMIB_LOADER};
}

/// Removes our symlinks from every version but `keep`.
Result<Done> clean(const PluginPaths &paths, const Dir &libdir, const std::string &keep)
{
    Done done;
    const auto name = split_path(paths.object).second;
    const auto versions = libdir.list();
    if (!versions) return versions.error();
    for (const auto &version : *versions) {
        if (version == keep) continue;
        const auto dir = libdir.sub(version);
        if (!dir || !is_symlink_to(paths.object, *dir, name)) continue;
        if (::unlinkat(dir->fd(), name.c_str(), 0) != 0) {
            if (errno == EROFS) continue; // the image's next build removes it
            return sys_error(errno, dir->path() + "/" + name);
        }
        done.push_back("removed the symlink " + dir->path() + "/" + name);
        (void)::unlinkat(libdir.fd(), version.c_str(), AT_REMOVEDIR); // only if nothing else is in it
    }
    return done;
}
} // namespace

Result<Done> remove_symlinks(const PluginPaths &paths)
{
    const auto libdir = Dir::open(paths.libdir);
    if (!libdir) return libdir.error().kind == Error::Kind::absent ? Result<Done>(Done{}) : libdir.error();
    return clean(paths, *libdir, "");
}

Result<Done> put_symlink(const PluginPaths &paths, const std::string &version)
{
    if (!is_version(version)) return Error{Error::Kind::invalid, "'" + version + "' is no version of NetworkManager"};
    if (::access(paths.object.c_str(), R_OK) != 0) {
        auto done = remove_symlinks(paths);
        return done ? sys_error(ENOENT, paths.object) : done.error();
    }
    const auto libdir = Dir::open(paths.libdir);
    if (!libdir) return libdir.error();
    auto done = clean(paths, *libdir, version);
    if (!done) return done;
    // A NetworkManager without any plugin of its own comes without the directory, and still looks there.
    if (::mkdirat(libdir->fd(), version.c_str(), 0755) != 0 && errno != EEXIST)
        return not_made(paths.libdir + "/" + version);
    const auto dir = libdir->sub(version);
    if (!dir) return dir.error();
    const auto name = split_path(paths.object).second;
    const auto path = dir->path() + "/" + name;
    if (is_symlink_to(paths.object, *dir, name)) return done;
    if (::symlinkat(paths.object.c_str(), dir->fd(), name.c_str()) != 0) {
        if (errno == EEXIST)
            return Error{Error::Kind::denied, path + ": already there and no symlink to " + paths.object +
                                                  "; remove it to have the plugin loaded"};
        return not_made(path);
    }
    done->push_back("made the symlink " + path);
    return done;
}

} // namespace nmib
