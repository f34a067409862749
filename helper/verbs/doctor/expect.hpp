// SPDX-License-Identifier: LGPL-2.1-or-later
/// What `nm-ib doctor --expect` reads and writes.
#pragma once
#include "core/doctor/expect.hpp"
#include "terminal/words.hpp"

namespace nmib::cli
{

struct Expectations {
    std::vector<Expected> values{}; ///< of each file
    std::vector<ExpectedPorts> ports{};
};
/// Each word is COUNT@GBPS or the path of a file.
Result<Expectations> parse_expectations(const Words &words);
std::vector<Trouble> compare(const Host &host, const Expectations &expectations);
/// A file in which each value of this machine is expected.
std::string expectation_file(const Host &host);

/// Refuses an id that no finding has.
Status check_finding(const std::string &id);

/// A finding to leave out: "ID" or "ID:WHERE".
struct Ignored {
    std::string id{}, where{}; ///< `where` is empty: everywhere
};
/// Reads the words and, if it exists, /etc/nm-infiniband/doctor.ignore: one on each line, after '#' a comment.
Result<std::vector<Ignored>, Failure> read_ignored(const Words &words);
/// Removes ignored findings. Returns their number.
std::size_t drop_ignored(std::vector<Trouble> &all, const std::vector<Ignored> &ignored);

} // namespace nmib::cli
