// SPDX-License-Identifier: LGPL-2.1-or-later
/// The files that give a port its name: first planned, then written.
#pragma once
#include "apply/base/file.hpp"
#include "core/name/conflict.hpp"
#include "core/name/naming_world.hpp"
#include "terminal/words.hpp"
#include "verbs/name/request.hpp"

namespace nmib::cli
{

/// The directory of nm-ib's files.
constexpr std::string_view link_directory = "/etc/systemd/network";

/// The files to write and remove in one directory.
struct NameFiles {
    std::string directory{link_directory};
    std::string write{}; ///< file name; empty: none
    std::string text{};  ///< content of `write`
    Words remove{};      ///< names of nm-ib's files
    Words edited{};      ///< files changed by hand: a copy is kept
    Words warnings{};
    bool changes() const noexcept { return !write.empty() || !remove.empty(); }
};

/// Plans the files that give a port the name `name`. An Error, with the remedy, if the name would not work, or if a
/// file of another program or a user would be lost.
Result<NameFiles> name_files(const NamingWorld &world, const PortIdentity &port, const std::string &name,
                             const NameRequest &request);
/// Plans the removal of nm-ib's file. An Error if it is in another directory, or changed by hand and not forced.
Result<NameFiles> removal_of(const LinkConfig &own, const NameRequest &request);
Result<NameFiles> removal_of(const RdmaRule &own, const NameRequest &request);

/// Writes and removes the files: all, or none.
Result<FileChanges> write_names(const NameFiles &files);

Result<NamingWorld> read_naming_world();

/// Finds a port by its interface, an alternative name, the name in nm-ib's file, or a word that names_port() accepts.
/// An Error, with what to type, if no port or more than one matches.
Result<const PortIdentity *> find_port(const NamingWorld &world, const std::string &word);
/// Returns the interface, or HCA and number. For messages: printable.
std::string label(const PortIdentity &port);

} // namespace nmib::cli
