// SPDX-License-Identifier: LGPL-2.1-or-later
/// Writes what probe/rdma/words reads.
#pragma once
#include "core/rdma/words.hpp"

namespace nmib
{

/// Each value is one that core/rdma/words takes. Without values the file goes.
Result<void> write_rdma_words(const std::string &directory, const std::string &uuid, const RdmaValues &values);

} // namespace nmib
