// SPDX-License-Identifier: LGPL-2.1-or-later
#include "probe/policy_cache.hpp"

namespace nmib
{

std::vector<Stamp> PolicyCache::stamps() const
{
    std::vector<Stamp> all;
    all.reserve(last_.paths.size());
    for (const auto &path : last_.paths) {
        struct stat st {
        };
        all.push_back(::stat(path.c_str(), &st) == 0 ? stamp(st) : Stamp{});
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
