// SPDX-License-Identifier: LGPL-2.1-or-later
/// The files that give a port its name: decided first, then written, and taken back if need be.
#pragma once
#include "apply/base/file.hpp"
#include "cli/base/words.hpp"
#include "cli/name/request.hpp"
#include "core/name/conflict.hpp"
#include "core/name/naming_world.hpp"

namespace nmib::cli
{

/// Where files of ours lie.
constexpr std::string_view link_directory = "/etc/systemd/network";

/// What is going to be written and removed.
struct NameFiles {
    std::string write{}; ///< the file's name; empty: none
    std::string text{};  ///< and what will be in it
    Words remove{};      ///< names of files of ours
    Words edited{};      ///< names of those that were changed by hand: a copy is kept
    Words warnings{};
    bool changes() const noexcept { return !write.empty() || !remove.empty(); }
};

/// What has to be done so that a port is called `name`. An Error with the reason and the way out where that would not
/// work, or where a file of another program or person would be lost.
Result<NameFiles> name_files(const NamingWorld &world, const PortIdentity &port, const std::string &name,
                             const NameRequest &request);
/// What has to be done so that a file of ours is gone. An Error where it was changed by hand.
Result<NameFiles> removal_of(const LinkConfig &own, const NameRequest &request);

/// Writes and removes them, all or none.
Result<FileChanges> write_names(const NameFiles &files);

// This machine, as far as names are concerned.

Result<NamingWorld> read_naming_world();

/// The port that a word means: an interface or one of its alternative names, a name given by a file of ours, or a word
/// that names_port() takes. An Error that says what to type when there is none, or more than one.
Result<const PortIdentity *> find_port(const NamingWorld &world, const std::string &word);
/// The port for messages: its interface, or HCA and number.
std::string label(const PortIdentity &port);

} // namespace nmib::cli
