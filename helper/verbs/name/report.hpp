// SPDX-License-Identifier: LGPL-2.1-or-later
/// Output of the verbs of `nm-ib name`, and the rebuild of the initramfs.
#pragma once
#include "core/name/naming_world.hpp"
#include "terminal/json_fwd.hpp"
#include "terminal/words.hpp"
#include "verbs/name/request.hpp"

namespace nmib::cli
{

// The initramfs has copies of the .link files. If it loads ib_ipoib, the copies name the ports.

/// If the initramfs comes with the image (bootc, rpm-ostree, MicroOS): returns the command, or text for the build of
/// the image. Otherwise empty.
std::string initramfs_of_image();
/// Returns the command that rebuilds this distribution's initramfs: program and arguments; empty if unknown.
Words initramfs_command();
/// Runs the command, which takes seconds. The Error has the command to try again.
Result<void> update_initramfs(const Words &command);

/// Returns "port", "hca", "number", "bus", "guid", "interface".
Json json_of(const PortIdentity &port);
/// Returns "name", "file", "state", "text".
Json json_of(const NameState &state);

/// Returns the Failure for an Error before anything is written.
Failure refusal_of(const Error &why);

/// Rebuilds the initramfs, or prints the command. Returns the value for JSON: "updated", "none", "left" or "failed".
std::string rebuild_initramfs(const NameRequest &request);

} // namespace nmib::cli
