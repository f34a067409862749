// SPDX-License-Identifier: LGPL-2.1-or-later
/// The partitions that the profiles of this machine ask for, and the file that its opensm reads them from.
#pragma once
#include "cli/base/words.hpp"
#include "core/host/partitions.hpp"
#include "core/hwaddr.hpp"

namespace nmib::cli
{

/// Of the keyfiles that we may read.
std::vector<Partition> partitions_of_profiles();

struct PartitionsSource {
    std::string path{}; ///< empty: nobody can tell
    std::string text{}; ///< empty where there is no such file
    bool is_there = false;
    bool is_ours() const { return is_host_file(text); }
};
/// What opensm as this unit reads: by the unit's command line, by opensm.conf, or by what it was built with.
PartitionsSource find_partitions(const std::string &unit);
/// Lines of /etc/sysconfig/opensm that choose ports, or a priority: a shell reads the file, so that they may stand
/// anywhere in a line. None where the file is not there.
Result<Words> overriding_lines(bool with_priority);
/// The unit that runs the subnet manager of a port.
std::string opensm_unit(Guid port);
/// Files of ours at any place where opensm may look.
Words own_partitions_files(const PartitionsSource &source);

} // namespace nmib::cli
