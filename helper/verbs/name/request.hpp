// SPDX-License-Identifier: LGPL-2.1-or-later
/// The request of `nm-ib name VERB`.
#pragma once
#include "terminal/request.hpp"

#include <optional>

namespace nmib::cli
{

struct NameRequest {
    enum class Match { automatic, guid, path };

    Words words{}; ///< PORT and NAME
    Options print{};
    bool json = false;
    bool dry_run = false;
    bool yes = false;
    bool force = false;
    bool now = false;
    bool initramfs = true;
    Match match = Match::automatic;
    std::optional<std::string> rdma{}; ///< set: also for the RDMA device, with this name; empty: the port's name

    static NameRequest of(const Request &r)
    {
        const auto match = r.all("--match"), rdma = r.all("--rdma");
        return {.words = r.words,
                .print = r.print,
                .json = r.has("--json"),
                .dry_run = r.has("--dry-run"),
                .yes = r.has("--yes"),
                .force = r.has("--force"),
                .now = r.has("--now"),
                .initramfs = !r.has("--no-initramfs"),
                .match = match.empty()             ? Match::automatic
                         : match.front() == "path" ? Match::path
                                                   : Match::guid,
                .rdma = !r.has("--rdma") ? std::nullopt : std::optional(rdma.empty() ? std::string{} : rdma.back())};
    }
};

} // namespace nmib::cli
