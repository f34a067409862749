// SPDX-License-Identifier: LGPL-2.1-or-later
/// Runs work in a child process, and interferes at one of its system calls.
#pragma once
#include <functional>
#include <optional>
#include <vector>

namespace nmib::test
{

struct Moment {
    enum class Act { kill_before, kill_after, fail };
    std::size_t call = 0; ///< counted from 0, without those for memory and signals
    Act act = Act::kill_before;
    int error = 0; ///< for Act::fail
};

struct Traced {
    std::vector<long> calls; ///< numbers of the system calls; the last one is the moment's
    int status = -1;         ///< exit status; -1 if killed
};

/// `work` returns the exit status. Without a moment, `work` runs to its end.
Traced trace(const std::function<int()> &work, std::optional<Moment> moment = {});

/// Returns true if Act::fail is implemented for this processor.
bool can_fail();

} // namespace nmib::test
