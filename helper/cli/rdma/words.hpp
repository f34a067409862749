// SPDX-License-Identifier: LGPL-2.1-or-later
/// The rdma.* words of a profile on the command line, beside nmcli's own.
#pragma once
#include "cli/fabric/draft.hpp"
#include "core/rdma/words.hpp"

namespace nmib::cli
{

/// Puts those that were typed into the profile, empty ones out of it. Where one is not possible nothing is to be saved:
/// the failure says why.
std::optional<Failure> take_rdma_words(const Draft &draft);
/// It has connection.permissions: its words are refused.
bool is_private_profile(NMConnection *connection);
/// What the profile has; the text of a value that is not possible is kept as it is.
std::vector<std::pair<const RdmaWord *, std::string>> rdma_words_of(NMConnection *connection);

} // namespace nmib::cli
