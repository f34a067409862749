// SPDX-License-Identifier: LGPL-2.1-or-later
/// The initramfs has a copy of the .link files, and where ib_ipoib is loaded in it that copy counts.
#pragma once
#include "cli/base/words.hpp"

namespace nmib::cli
{

/// What to type, or to write into the image's build, where the initramfs comes with the image (bootc, rpm-ostree,
/// MicroOS); empty elsewhere.
std::string initramfs_of_image();
/// What makes this distribution's initramfs anew: a program and its arguments; empty when there is none that we know.
Words initramfs_command();
/// Runs it, which takes seconds. An Error that says what to run by hand.
Result<void> update_initramfs(const Words &command);

} // namespace nmib::cli
