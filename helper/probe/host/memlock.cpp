// SPDX-License-Identifier: LGPL-2.1-or-later
#include "probe/host/memlock.hpp"

#include "core/base/text.hpp"
#include "core/host/memlock.hpp"

#include <algorithm>
#include <grp.h>
#include <limits>
#include <map>
#include <pwd.h>
#include <sys/stat.h>

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

template<class Look> void each_process(const Dir &proc, Look look)
{
    for (const auto &name : proc.names(".")) {
        const auto pid = parse_decimal(name, std::numeric_limits<int>::max());
        const auto process = pid ? proc.sub(name) : Result<Dir>(Error{});
        if (process) look(static_cast<int>(*pid), *process);
    }
}

/// One pass, because each lookup of a name reads the whole file. `gid`: also users with this primary group.
Users find(std::set<std::string> names, std::optional<gid_t> gid)
{
    Users all;
    if (names.empty() && !gid) return all; // reading the list of users may ask a server and, in an image, run its code
    ::setpwent();
    while (const auto *user = ::getpwent()) // NOLINT(concurrency-mt-unsafe): one thread
        if (names.erase(user->pw_name) > 0 || user->pw_gid == gid) all.emplace(user->pw_uid, user->pw_name);
    ::endpwent();
    for (const auto &name : names)                       // users that the system does not list, e.g. of LDAP
        if (const auto *user = ::getpwnam(name.c_str())) // NOLINT(concurrency-mt-unsafe): one thread
            all.emplace(user->pw_uid, name);
    return all;
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
    each_process(proc, [&](int pid, const Dir &process) {
        const auto command = process.line("comm");
        const bool starts_jobs = std::find(std::begin(starters), std::end(starters), command) != std::end(starters);
        if (!starts_jobs && (!has_verbs_open(process) || may_exceed(process))) return;
        if (const auto bytes = read_memlock(proc, pid)) all.push_back({command, pid, *bytes, unit_of(process)});
    });
    return all;
}

std::optional<std::uint64_t> read_memlock(const Dir &proc, int pid)
{
    const auto text = proc.read(std::to_string(pid) + "/limits", 8192);
    return text ? parse_memlock(*text) : std::nullopt;
}

std::multimap<std::uint32_t, MemlockLimit> memlock_of_users(const Dir &proc, const std::set<std::uint32_t> &uids)
{
    std::map<std::pair<std::uint32_t, std::string>, MemlockLimit> smallest; // by user and unit
    each_process(proc, [&](int pid, const Dir &process) {
        struct stat st {
        };
        if (::fstat(process.fd(), &st) != 0 || !uids.contains(st.st_uid)) return;
        const auto command_line = process.read("cmdline", 4096);
        if (command_line && command_line->empty()) return; // a kernel thread
        const auto bytes = read_memlock(proc, pid);
        const auto unit = unit_of(process);
        const auto known = smallest.find({st.st_uid, unit});
        if (bytes && (known == smallest.end() || *bytes < known->second.bytes))
            smallest[{st.st_uid, unit}] = {process.line("comm"), pid, *bytes, unit};
    });
    std::multimap<std::uint32_t, MemlockLimit> all;
    for (auto &[key, limit] : smallest) all.emplace(key.first, std::move(limit));
    return all;
}

Users find_users(std::set<std::string> names) { return find(std::move(names), std::nullopt); }

std::optional<Users> find_group(const std::string &name)
{
    const auto *group = ::getgrnam(name.c_str()); // NOLINT(concurrency-mt-unsafe): one thread
    if (!group) return {};
    std::set<std::string> members;
    for (char **member = group->gr_mem; *member; member++) members.insert(*member);
    return find(std::move(members), group->gr_gid);
}

} // namespace nmib
