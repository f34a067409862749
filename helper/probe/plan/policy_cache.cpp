// SPDX-License-Identifier: LGPL-2.1-or-later
#include "probe/plan/policy_cache.hpp"

#include <sys/stat.h>

namespace nmib
{

std::vector<PolicyCache::Stamp> PolicyCache::stamps() const
{
    const auto time = [](const timespec &t) {
        return std::uint64_t(t.tv_sec) * 1'000'000'000 + std::uint64_t(t.tv_nsec);
    };
    std::vector<Stamp> all;
    all.reserve(last_.paths.size());
    for (const auto &path : last_.paths) {
        struct stat st {
        };
        all.push_back(::stat(path.c_str(), &st) == 0
                          ? Stamp{st.st_dev, st.st_ino, std::uint64_t(st.st_size), time(st.st_mtim), time(st.st_ctim)}
                          : Stamp{});
    }
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
