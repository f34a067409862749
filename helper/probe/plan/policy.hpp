// SPDX-License-Identifier: LGPL-2.1-or-later
/// nm-ib.conf(5) and the quirk files nm-ib-quirks(5): the administrator's Policy. A file with a mistake in it is left
/// out as a whole, with one line that names file and key; it never stops an activation.
#pragma once
#include "core/base/result.hpp"
#include "core/plan/policy.hpp"
#include "probe/base/keyfile.hpp"

#include <array>
#include <cstdint>

namespace nmib
{

struct PolicyPaths {
    std::string conf;         ///< nm-ib.conf; it need not exist
    std::string quirks;       ///< directory of the package
    std::string quirks_admin; ///< directory of the administrator: a file of the same name replaces the package's, an
                              ///< empty one masks it
};

/// Where this build looks; NMIB_CONF and NMIB_QUIRKS of the configuration.
PolicyPaths installed_policy_paths();

struct PolicyRead {
    Policy policy;
    std::vector<Error> warnings;    ///< what was left out, and why
    std::vector<std::string> paths; ///< all it depends on, files and directories, there or not
};
PolicyRead read_policy(const PolicyPaths &paths);

/// The settings in one nm-ib.conf, into `policy`; untouched on error.
Result<void> parse_conf(const Keyfile &file, const std::string &name, Policy &policy);
/// The quirks in one file.
Result<std::vector<Quirk>> parse_quirks(const Keyfile &file, const std::string &name);

// For a process that lives long: the policy, read again only when something it depends on has changed.

class PolicyCache
{
public:
    explicit PolicyCache(PolicyPaths paths) : paths_(std::move(paths)) {}
    /// Valid until the next call.
    const PolicyRead &read();

private:
    /// What shows that a file has changed: device, inode, size, and the times of last modification and last
    /// change in nanoseconds. The last cannot be set. Zeros for what is not there.
    using Stamp = std::array<std::uint64_t, 5>;
    std::vector<Stamp> stamps() const;

    PolicyPaths paths_;
    PolicyRead last_;
    std::vector<Stamp> seen_; ///< of last_.paths, taken before they were read
};

} // namespace nmib
