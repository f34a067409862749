// SPDX-License-Identifier: LGPL-2.1-or-later
/// What is shown on a terminal goes through a pager, as with nmcli.
#pragma once
#include "cli/base/options.hpp"

#include <sys/types.h>

namespace nmib::cli
{

class Pager
{
public:
    /// From here on standard output and standard error go to the pager, unless nmcli would not start one: in terse
    /// mode, where there are no colours (-c, NO_COLOR, TERM=dumb, no terminal, terminal-colors.d(5)), with an empty
    /// $PAGER.
    explicit Pager(const Options &options);
    Pager(const Pager &) = delete;
    Pager &operator=(const Pager &) = delete;
    /// Waits until it was left.
    ~Pager();

private:
    pid_t process_ = -1;
};

} // namespace nmib::cli
