// SPDX-License-Identifier: LGPL-2.1-or-later
/// The verbs of `nm-ib connection`; nmcli runs all others.
#pragma once
#include "nm/nmcli.hpp"

namespace nmib::cli
{

Verb add_connection, modify_connection, show_connection;

} // namespace nmib::cli
