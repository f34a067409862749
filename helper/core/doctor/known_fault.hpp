// SPDX-License-Identifier: LGPL-2.1-or-later
/// Faults that are known for a version of a program or of the kernel: tables of data.
#pragma once
#include "core/doctor/host.hpp"

#include <span>
#include <string_view>

namespace nmib
{

/// Where a program has its version: after the first `marker` in one of the files.
struct KnownTool {
    std::string_view name;
    std::span<const std::string_view> files; ///< below /; '*' is any one name
    std::string_view marker;                 ///< "AGENT_VERSION = '"
};
std::span<const KnownTool> known_tools() noexcept;

struct KnownFault {
    std::string_view program;      ///< a tool's name, or "linux"
    std::string_view since, until; ///< versions with the fault: since <= version < until; empty until: no end known
    const char *text;              ///< untranslated
    std::string_view source;
};
/// Returns the faults of the running kernel and of the installed tools.
std::vector<std::pair<const KnownFault *, std::string>> faults_of(const Host &host);

/// Compares the numbers in versions: "6.9.1" is before "6.10".
bool is_older(std::string_view version, std::string_view than) noexcept;

} // namespace nmib
