// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/host/partitions.hpp"

#include "cli/daemon/keyfiles.hpp"
#include "cli/host/units.hpp"
#include "core/number.hpp"
#include "probe/dir.hpp"
#include "probe/ifcfg.hpp"
#include "probe/profile.hpp"
#include "probe/rdma/words.hpp"

#include <algorithm>
#include <set>

namespace nmib::cli
{

namespace
{
constexpr std::size_t longest = 1U << 20;
constexpr const char *debian = "/etc/opensm", *red_hat = "/etc/rdma";

Result<std::string> read(const std::string &path)
{
    const auto [directory, name] = split_path(path);
    const auto dir = Dir::open(directory);
    return dir ? dir->read(name, longest) : Result<std::string>(dir.error());
}

/// Where the distribution's opensm has its files.
std::string home()
{
    const auto there = read(std::string(red_hat) + "/opensm.conf");
    return there ? red_hat : debian;
}
} // namespace

std::vector<Partition> partitions_of_profiles()
{
    std::vector<Intent> asked;
    std::set<std::string> seen;
    auto places = profile_directories();
    places.emplace_back(ifcfg_directory);
    for (const auto &place : places) {
        const auto dir = Dir::open(place);
        const auto names = dir ? dir->list() : Result<Words>(dir.error());
        for (const auto &name : names ? *names : Words{}) {
            const bool is_read = place == ifcfg_directory ? is_ifcfg_name(name) : is_keyfile_name(place, name);
            const auto profile = is_read ? read_profile(place + "/" + name) : Result<Profile>(Error{});
            if (!profile || (!profile->uuid.empty() && !seen.insert(profile->uuid).second)) continue;
            const auto read = read_rdma_words(words_directory, profile->uuid);
            const bool is_skipped = read && read->words.skip;
            // the fabric is no affair of one user
            if (profile->infiniband && !profile->generated && !profile->is_private && !is_skipped)
                asked.push_back(profile->intent);
        }
    }
    return wanted_partitions(asked);
}

Result<Words> overriding_lines(bool with_priority)
{
    const auto text = read("/etc/sysconfig/opensm");
    if (!text) return text.error().kind == Error::Kind::absent ? Result<Words>(Words{}) : text.error();
    Words all;
    for (const auto &line : cut(*text, "\n"))
        if (!strip(line).starts_with('#') &&
            (line.find("GUIDS=") != line.npos || (with_priority && line.find("PRIORITY=") != line.npos)))
            all.push_back(strip(line));
    return all;
}

PartitionsSource find_partitions(const std::string &unit)
{
    PartitionsSource source;
    const auto command = unit_property(unit, "ExecStart");
    auto conf_path = command_option(command, "-F", "--config");
    if (conf_path.empty()) conf_path = home() + "/opensm.conf";
    source.path = command_option(command, "-P", "--Pconfig");
    if (const auto conf = read(conf_path); conf && source.path.empty())
        source.path = opensm_option(*conf, "partition_config_file");
    if (source.path.empty()) source.path = home() + "/partitions.conf";
    const auto text = read(source.path);
    source.is_there = text || text.error().kind != Error::Kind::absent;
    if (text) source.text = *text;
    if (!source.path.starts_with('/')) source.path.clear(); // whose working directory is it?
    return source;
}

std::string opensm_unit(Guid port)
{
    return has_unit_file("opensm@.service") ? "opensm@" + hex(port.value, 16) + ".service" : "opensm.service";
}

Words own_partitions_files(const PartitionsSource &source)
{
    Words all;
    for (const auto &path :
         {source.path, std::string(debian) + "/partitions.conf", std::string(red_hat) + "/partitions.conf"}) {
        const auto text = path.empty() ? Result<std::string>(Error{}) : read(path);
        if (text && is_host_file(*text) && std::find(all.begin(), all.end(), path) == all.end()) all.push_back(path);
    }
    return all;
}

} // namespace nmib::cli
