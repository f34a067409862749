// SPDX-License-Identifier: LGPL-2.1-or-later
#include "link/relink.hpp"

#include "probe/dir.hpp"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <fcntl.h>
#include <sys/stat.h>

namespace nmib
{

namespace
{
bool is_link_to(const std::string &object, const Dir &dir, const std::string &name)
{
    const auto target = dir.link_target(name);
    return target && *target == object;
}

std::string base_name(const std::string &path) { return path.substr(path.rfind('/') + 1); }

/// Removes our links from every version but `keep`.
Result<Done> clean(const LinkPaths &paths, const Dir &libdir, const std::string &keep)
{
    Done done;
    const auto name = base_name(paths.object);
    const auto versions = libdir.list();
    if (!versions) return versions.error();
    for (const auto &version : *versions) {
        if (version == keep) continue;
        const auto dir = libdir.sub(version);
        if (!dir || !is_link_to(paths.object, *dir, name)) continue;
        if (::unlinkat(dir->fd(), name.c_str(), 0) != 0) return sys_error(errno, dir->path() + "/" + name);
        done.push_back("removed " + dir->path() + "/" + name);
        (void)::unlinkat(libdir.fd(), version.c_str(), AT_REMOVEDIR); // only if nothing else is in it
    }
    return done;
}
} // namespace

bool is_version(const std::string &text) noexcept
{
    const auto good = [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' || c == '-' ||
               c == '+' || c == '~';
    };
    return !text.empty() && text.size() <= 64 && text[0] >= '0' && text[0] <= '9' &&
           std::all_of(text.begin(), text.end(), good);
}

Result<Done> unlink_all(const LinkPaths &paths)
{
    const auto libdir = Dir::open(paths.libdir);
    if (!libdir) return libdir.error().kind == Error::Kind::absent ? Result<Done>(Done{}) : libdir.error();
    return clean(paths, *libdir, "");
}

Result<Done> relink(const LinkPaths &paths, const std::string &version)
{
    if (!is_version(version)) return Error{Error::Kind::invalid, "'" + version + "' is no version of NetworkManager"};
    if (::access(paths.object.c_str(), R_OK) != 0) {
        auto done = unlink_all(paths);
        return done ? sys_error(ENOENT, paths.object) : done.error();
    }
    const auto libdir = Dir::open(paths.libdir);
    if (!libdir) return libdir.error();
    auto done = clean(paths, *libdir, version);
    if (!done) return done;
    // A NetworkManager without any plugin of its own comes without the directory, and still looks there.
    if (::mkdirat(libdir->fd(), version.c_str(), 0755) != 0 && errno != EEXIST)
        return sys_error(errno, paths.libdir + "/" + version);
    const auto dir = libdir->sub(version);
    if (!dir) return dir.error();
    const auto name = base_name(paths.object);
    const auto path = dir->path() + "/" + name;
    if (is_link_to(paths.object, *dir, name)) return done;
    if (::symlinkat(paths.object.c_str(), dir->fd(), name.c_str()) != 0) {
        if (errno == EEXIST)
            return Error{Error::Kind::denied, path + ": already there and not a link to " + paths.object +
                                                  "; remove it to have the plugin linked"};
        return sys_error(errno, path);
    }
    done->push_back("linked " + path);
    return done;
}

} // namespace nmib
