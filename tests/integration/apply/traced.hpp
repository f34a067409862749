// SPDX-License-Identifier: LGPL-2.1-or-later
/// A piece of work in a process of its own, that is met at one of its system calls.
#pragma once
#include <functional>
#include <optional>
#include <vector>

namespace nmib::test
{

struct Moment {
    enum class Act { kill_before, kill_after, fail };
    std::size_t call = 0; ///< counted from 0, without those of memory and signals
    Act act = Act::kill_before;
    int error = 0; ///< of Act::fail
};

struct Traced {
    std::vector<long> calls; ///< numbers of the system calls, as far as it came; the last one is the moment's
    int status = -1;         ///< of its exit; -1 when it was killed
};

/// `work` returns the status. Without a moment it runs to its end.
Traced trace(const std::function<int()> &work, std::optional<Moment> moment = {});

/// Act::fail is known for this processor.
bool can_fail();

} // namespace nmib::test
