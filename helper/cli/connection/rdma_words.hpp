// SPDX-License-Identifier: LGPL-2.1-or-later
/// The rdma.* words of a profile on the command line, beside nmcli's own.
#pragma once
#include "cli/connection/advice.hpp"

#include <functional>

namespace nmib::cli
{

/// Draft::rdma: what the profile has, with what was typed. Where a word is not possible nothing is to be saved: the
/// failure says why.
std::optional<Failure> take_rdma_words(Draft &draft);
/// Writes Draft::rdma and calls `store`, which saves the profile. Where that fails the words are as they were.
std::optional<Failure> store_with_words(const Draft &draft, bool save,
                                        const std::function<std::optional<Failure>()> &store);
/// It has connection.permissions: its words are refused.
bool is_private_profile(NMConnection *connection);
Result<RdmaWordsRead> rdma_words_of(NMConnection *connection);

} // namespace nmib::cli
