// SPDX-License-Identifier: GPL-2.0-or-later
/// The files below /etc and /usr that the plugin obeys. A thread reads them, because a file system that does not answer
/// must not stop the daemon: at load, when a watch reports a change, and when NetworkManager reloads. The main loop
/// gets each reading as a whole, and keeps the last one while the files do not answer or cannot be read.
#pragma once
#include "core/plan/policy.hpp"

#include <set>
#include <string>

namespace nmib
{

/// The configuration in force: nm-ib.conf(5), nm-ib-quirks(5), and the profiles with rdma.skip.
struct Configuration {
    bool known = false;                ///< the files have been read; until then nothing is removed
    Policy policy{};                   ///< `plugin` is that of the first reading
    std::set<std::string> opted_out{}; ///< UUIDs of profiles
    std::set<std::string> unread{};    ///< UUIDs of profiles whose words cannot be read, or are wrong

    /// For what must not happen to a profile with rdma.skip.
    bool may_be_opted_out(const std::string &uuid) const
    {
        return !known || uuid.empty() || opted_out.contains(uuid) || unread.contains(uuid);
    }
};
/// The reference is valid until the main loop runs again.
const Configuration &configuration();

/// Starts the thread and waits for the first reading, at most 10 ms. Returns false if there is no thread.
bool start_reading();
/// Ends the thread, when its files answer. The configuration stays as it is.
void stop_reading();
/// Call before an activation: a file that was changed just now counts. Waits only if a reading is under way or due, at
/// most 50 ms, and only once for a file system that does not answer.
void update_configuration();
/// Reads again, also what no watch sees: the target of a link, a file that another host changed.
void read_again();

} // namespace nmib
