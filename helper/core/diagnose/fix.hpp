// SPDX-License-Identifier: LGPL-2.1-or-later
/// The troubles that a command of ours mends.
#pragma once
#include "core/diagnose/trouble.hpp"

namespace nmib
{

/// A program and its words, without a shell.
using CommandLine = std::vector<std::string>;

/// What mends it safely, in this order; nothing where a person has to decide, or another machine is to be asked. The
/// commands take no interface down.
std::vector<CommandLine> fix(const Trouble &trouble);

} // namespace nmib
