// SPDX-License-Identifier: LGPL-2.1-or-later
#include "probe/host/memlock.hpp"

#include "core/base/text.hpp"
#include "core/host/memlock.hpp"

#include <algorithm>
#include <limits>

namespace nmib
{

namespace
{
/// Their jobs inherit their limits.
constexpr std::string_view starters[] = {"slurmd", "pbs_mom", "sge_execd", "sbatchd", "condor_startd", "gmx_mpi"};

bool has_verbs_open(const Dir &process)
{
    const auto names = process.names("fd");
    return std::any_of(names.begin(), names.end(), [&](const std::string &name) {
        const auto target = process.symlink_target("fd/" + name);
        return target && target->starts_with("/dev/infiniband/uverbs");
    });
}
/// Returns true for CAP_IPC_LOCK in the first user namespace: the limit does not apply (ib_umem_get).
bool may_exceed(const Dir &process)
{
    constexpr std::string_view title = "\nCapEff:\t";
    const auto status = process.read("status", 65536), map = process.read("uid_map", 65536);
    const auto at = status ? status->find(title) : std::string::npos;
    if (at == std::string::npos || (map && map->find("4294967295") == map->npos)) return false;
    const auto line = std::string_view(*status).substr(at + title.size());
    const auto effective = parse_hex(line.substr(0, line.find('\n')), std::numeric_limits<std::uint64_t>::max());
    return effective && (*effective >> 14 & 1) != 0;
}
std::string unit_of(const Dir &process)
{
    const auto text = process.read("cgroup", 65536);
    return text ? unit_of_cgroup(*text) : std::string();
}

} // namespace

std::optional<std::uint64_t> parse_memlock(std::string_view limits)
{
    constexpr std::string_view title = "Max locked memory";
    const auto at = limits.find(title);
    if (at == limits.npos) return {};
    auto rest = limits.substr(at + title.size());
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    const auto soft = rest.substr(0, rest.find_first_of(" \n"));
    if (soft == "unlimited") return std::numeric_limits<std::uint64_t>::max();
    return parse_decimal(soft, std::numeric_limits<std::uint64_t>::max() / 2);
}

std::vector<MemlockLimit> read_memlock_limits(const Dir &proc)
{
    std::vector<MemlockLimit> all;
    for (const auto &name : proc.names(".")) {
        const auto pid = parse_decimal(name, std::numeric_limits<int>::max());
        const auto process = pid ? proc.sub(name) : Result<Dir>(Error{});
        if (!process) continue;
        const auto command = process->line("comm");
        const bool starts_jobs = std::find(std::begin(starters), std::end(starters), command) != std::end(starters);
        if (!starts_jobs && (!has_verbs_open(*process) || may_exceed(*process))) continue;
        const auto text = process->read("limits", 8192);
        if (const auto bytes = text ? parse_memlock(*text) : std::nullopt)
            all.push_back({command, static_cast<int>(*pid), *bytes, unit_of(*process)});
    }
    return all;
}

} // namespace nmib
