// SPDX-License-Identifier: LGPL-2.1-or-later
/// Which processes have a limit of locked memory, and what gives them another.
#pragma once
#include "cli/base/words.hpp"
#include "core/diagnose/services.hpp"
#include "core/host/memlock.hpp"

#include <functional>

namespace nmib::cli
{

/// "8M", "unlimited", or bytes where it is no multiple of 1024.
std::string memlock_text(std::uint64_t bytes);

/// A process that a setting is about.
struct LimitHolder {
    MemlockLimit limit{};
    std::string user{};     ///< of a user's or a group's setting
    std::string remedy{};   ///< the command that makes it begin anew; empty: only who logs in again has it
    bool elsewhere = false; ///< it is of a service, which reads no limits.d: the remedy is a setting of its own
};
/// As the kernel has them: a unit's main process, or of each user the process with the smallest in each unit.
std::vector<LimitHolder> limit_holders(const MemlockTarget &target);

/// The file with another line for the same user or group, or another drop-in for the unit, that comes behind ours and
/// counts; empty without.
std::string overruled_by(const MemlockTarget &target);

/// All files that end in .conf in a directory, in order.
void each_conf_file(const std::string &path,
                    const std::function<void(const std::string &path, const std::string &text)> &look);

} // namespace nmib::cli
