// SPDX-License-Identifier: LGPL-2.1-or-later
/// The rdma.* words of `connection add` and `connection modify`.
#pragma once
#include "verbs/connection/advice.hpp"

#include <functional>

namespace nmib::cli
{

/// Sets Draft::rdma to the profile's words with the typed words. Failure: a word is impossible; save nothing.
Status take_rdma_words(Draft &draft);
/// Writes Draft::rdma, then calls `store`, which saves the profile. If `store` fails, restores the words.
Status store_with_words(const Draft &draft, bool save, const std::function<Status()> &store);

} // namespace nmib::cli
