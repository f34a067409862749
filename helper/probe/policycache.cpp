// SPDX-License-Identifier: LGPL-2.1-or-later
#include "probe/policycache.hpp"

#include <sys/stat.h>

namespace nmib
{

PolicyCache::Stamp PolicyCache::stamp(const std::string &path) noexcept
{
    struct stat st {
    };
    if (::stat(path.c_str(), &st) != 0) return {};
    const auto u = [](auto n) { return static_cast<std::uint64_t>(n); };
    return {u(st.st_dev),          u(st.st_ino),         u(st.st_size),        u(st.st_mtim.tv_sec),
            u(st.st_mtim.tv_nsec), u(st.st_ctim.tv_sec), u(st.st_ctim.tv_nsec)};
}

std::vector<PolicyCache::Stamp> PolicyCache::stamps() const
{
    std::vector<Stamp> all;
    all.reserve(last_.paths.size());
    for (const auto &path : last_.paths) all.push_back(stamp(path));
    return all;
}

const PolicyRead &PolicyCache::read()
{
    if (const auto now = stamps(); now.empty() || now != seen_) {
        // The stamps must be older than the reading, and which files there are only the reading tells.
        std::vector<std::string> known;
        do {
            known = last_.paths;
            seen_ = stamps();
            last_ = read_policy(paths_);
        } while (known != last_.paths);
    }
    return last_;
}

} // namespace nmib
