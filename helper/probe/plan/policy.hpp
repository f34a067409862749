// SPDX-License-Identifier: LGPL-2.1-or-later
/// Reads the administrator's Policy: nm-ib.conf(5) and quirk files, nm-ib-quirks(5). A file with a mistake is skipped
/// as a whole, with a warning that names file and key. A mistake never stops an activation.
#pragma once
#include "core/base/result.hpp"
#include "core/plan/policy.hpp"
#include "probe/base/keyfile.hpp"

#include <array>
#include <cstdint>

namespace nmib
{

struct PolicyPaths {
    std::string conf;         ///< nm-ib.conf; may be missing
    std::string quirks;       ///< the package's directory
    std::string quirks_admin; ///< the administrator's directory: replaces files of the same name; an empty file masks
};

/// The paths of this build (NMIB_CONF, NMIB_QUIRKS).
PolicyPaths installed_policy_paths();

struct PolicyRead {
    Policy policy;
    std::vector<Error> warnings;    ///< skipped files, with reasons
    std::vector<std::string> paths; ///< files and directories that it depends on, also missing ones
};
PolicyRead read_policy(const PolicyPaths &paths);

/// Parses nm-ib.conf into `policy`, which an Error leaves unchanged.
Result<void> parse_conf(const Keyfile &file, const std::string &name, Policy &policy);
Result<std::vector<Quirk>> parse_quirks(const Keyfile &file, const std::string &name);

// For a long-lived process: reads the policy again only if a path it depends on has changed.

class PolicyCache
{
public:
    explicit PolicyCache(PolicyPaths paths) : paths_(std::move(paths)) {}
    /// Valid until the next call.
    const PolicyRead &read();

private:
    /// Shows changes: device, inode, size, mtime and ctime (cannot be set) in nanoseconds. Zeros for a missing file.
    using Stamp = std::array<std::uint64_t, 5>;
    std::vector<Stamp> stamps() const;

    PolicyPaths paths_;
    PolicyRead last_;
    std::vector<Stamp> seen_; ///< of last_.paths, taken before reading
};

} // namespace nmib
