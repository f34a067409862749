// SPDX-License-Identifier: LGPL-2.1-or-later
/// The rdma.* words of a profile: /etc/nm-infiniband/profiles/<UUID of the profile>.
#pragma once
#include "core/rdma/words.hpp"

namespace nmib
{

/// The directory of this build.
extern const char *const words_directory;

/// No words where there is no such file. A file that another user than root can write is refused (Error).
Result<RdmaWordsRead> read_rdma_words(const std::string &directory, const std::string &uuid);

} // namespace nmib
