// SPDX-License-Identifier: LGPL-2.1-or-later
#include "probe/base/layers.hpp"

#include "probe/base/dir.hpp"

#include <cerrno>
#include <cstdlib>
#include <memory>
#include <sys/stat.h>

namespace nmib
{

Result<std::map<std::string, std::string>> layered_files(std::span<const std::string> directories,
                                                         std::string_view ending, std::size_t most)
{
    std::map<std::string, std::string> files;
    for (const auto &directory : directories) {
        const auto dir = Dir::open(directory);
        if (!dir && dir.error().kind == Error::Kind::absent) continue;
        const auto names = dir ? dir->list(most) : Result<std::vector<std::string>>(dir.error());
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
        // A link to nothing hides what comes after it as a mask does (systemd 252, conf-files.c).
        return errno == ENOENT ? Result<std::string>(std::string{}) : sys_error(errno, path);
    }
    if (S_ISCHR(st.st_mode) || S_ISDIR(st.st_mode)) return std::string{};
    return read_file(real.get(), limit);
}

} // namespace nmib
