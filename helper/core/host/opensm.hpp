// SPDX-License-Identifier: LGPL-2.1-or-later
/// The ports of this machine on which a subnet manager runs.
#pragma once
#include "core/host/file.hpp"
#include "core/hwaddr.hpp"

#include <optional>
#include <span>
#include <vector>

namespace nmib
{

struct OpensmSetting {
    std::vector<Guid> ports{};          ///< each once
    std::optional<unsigned> priority{}; ///< 0 to 15, the highest is the master
};
constexpr unsigned highest_sm_priority = 15;

/// The words behind "nm-ib host" that ask for it.
std::string opensm_command(const OpensmSetting &setting);

/// `has_template`: opensm.service starts an opensm@GUID.service for each port (Debian), which takes a file of its own
/// for a priority; else it starts them itself (RHEL). Both read their environment, which stands in the first file.
std::vector<HostFile> opensm_files(const OpensmSetting &setting, bool has_template);
/// Where they would be.
std::vector<HostFile> opensm_places();

} // namespace nmib
