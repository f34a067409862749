// SPDX-License-Identifier: GPL-2.0-or-later
/// The daemon's one look at the kernel: opened when it is first needed, kept for the next activation.
#pragma once
#include "probe/probe.hpp"

namespace nmib
{

Result<Probe> &daemon_probe();
/// After an error nobody expects: what its sockets still hold may be an answer to an older question.
void renew_probe();

} // namespace nmib
