// SPDX-License-Identifier: LGPL-2.1-or-later
/// Which NetworkManager this machine has: libnm's version is nmcli's, too.
#pragma once
#include <NetworkManager.h>

namespace nmib::cli
{

/// What nm_utils_version() says of NetworkManager 1.`minor`.
constexpr unsigned version(unsigned minor) { return NM_ENCODE_VERSION(1U, minor, 0U); }

/// Is it 1.`minor` or a later one?
inline bool has_version(unsigned minor) noexcept { return nm_utils_version() >= version(minor); }

} // namespace nmib::cli
