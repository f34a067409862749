// SPDX-License-Identifier: LGPL-2.1-or-later
/// This machine, as far as names are concerned.
#pragma once
#include "cli/base/words.hpp"
#include "core/name/naming_world.hpp"

namespace nmib::cli
{

Result<NamingWorld> read_naming_world();

/// The port that a word means: an interface or one of its alternative names, a name given by a file of ours, or a word
/// that names_port() takes. An Error that says what to type when there is none, or more than one.
Result<const PortIdentity *> find_port(const NamingWorld &world, const std::string &word);
/// The port for messages: its interface, or HCA and number.
std::string label(const PortIdentity &port);

} // namespace nmib::cli
