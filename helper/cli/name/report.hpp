// SPDX-License-Identifier: LGPL-2.1-or-later
/// How the verbs of `nm-ib name` report what they found and did.
#pragma once
#include "cli/base/json.hpp"
#include "cli/base/words.hpp"
#include "cli/name/request.hpp"
#include "core/name/naming_world.hpp"

namespace nmib::cli
{

// The initramfs has a copy of the .link files, and where ib_ipoib is loaded in it that copy counts.

/// What to type, or to write into the image's build, where the initramfs comes with the image (bootc, rpm-ostree,
/// MicroOS); empty elsewhere.
std::string initramfs_of_image();
/// What makes this distribution's initramfs anew: a program and its arguments; empty when there is none that we know.
Words initramfs_command();
/// Runs it, which takes seconds. An Error that says what to run by hand.
Result<void> update_initramfs(const Words &command);

/// What any of them says of a port: "port", "hca", "number", "bus", "guid", "interface".
Json json_of(const PortIdentity &port);
/// "name", "file", "state", "text".
Json json_of(const NameState &state);

/// After files were written or removed: makes the initramfs anew where there is one, or says what to run. One word for
/// machines: "updated", "none", "left", "failed".
std::string tell_initramfs(const NameRequest &request);

} // namespace nmib::cli
