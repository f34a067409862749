// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/name/unstoppable.hpp"

namespace nmib::cli
{

Unstoppable::Unstoppable()
{
    struct sigaction ignore {
    };
    ignore.sa_handler = SIG_IGN;
    for (std::size_t i = 0; i < signals.size(); i++) sigaction(signals[i], &ignore, &before_[i]);
}

Unstoppable::~Unstoppable()
{
    for (std::size_t i = 0; i < signals.size(); i++) sigaction(signals[i], &before_[i], nullptr);
}

} // namespace nmib::cli
