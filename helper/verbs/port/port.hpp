// SPDX-License-Identifier: LGPL-2.1-or-later
/// The verbs of `nm-ib port`. Each value has one name, for people in capital letters.
#pragma once
#include "terminal/request.hpp"

namespace nmib::cli
{

OwnVerb list_ports, show_port;

} // namespace nmib::cli
