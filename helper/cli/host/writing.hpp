// SPDX-License-Identifier: LGPL-2.1-or-later
/// Writing and removing the files of the machine's settings.
#pragma once
#include "cli/host/request.hpp"
#include "core/host/file.hpp"

#include <functional>

namespace nmib::cli
{

struct HostPlan {
    const char *noun;
    std::string setting;           ///< what is asked for, in words
    std::vector<HostFile> files{}; ///< an empty text: it goes
    bool is_default = false;
    bool units = false; ///< systemd has to read its units again
    Words notes{};      ///< told before
    /// What is to be done until it is in effect, looked at when all is written. An Error ends the command with 1.
    std::function<Result<Words>(bool changed)> after{};
};

/// Nothing where a file is in the way that nm-ib did not write, or for others than root.
std::optional<Failure> carry_out(const HostRequest &request, const HostPlan &plan);

Failure host_refused(const std::string &why); ///< bad words: exit status 2
Failure host_failed(const std::string &why);  ///< exit status 1

} // namespace nmib::cli
