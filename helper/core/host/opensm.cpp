// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/host/opensm.hpp"

#include "core/base/text.hpp"

#include <algorithm>
#include <map>

namespace nmib
{

HostFile opensm_file(std::span<const Guid> ports)
{
    HostFile file{.directory = "/etc/systemd/system/opensm.service.d", .name = "90-nm-ib.conf", .own_directory = true};
    std::string guids;
    for (const auto &g : ports) guids += (guids.empty() ? "" : " ") + hex(g.value, 16);
    // Debian's unit reads PORTS, EL's GUIDS. The distribution's EnvironmentFile= would override Environment=.
    if (!ports.empty())
        file.text =
            host_text("opensm " + guids, "opensm unset",
                      "[Service]\nEnvironmentFile=\nEnvironment=\"PORTS=" + guids + "\" \"GUIDS=" + guids + "\"\n");
    return file;
}

std::vector<std::string> partition_lines(std::span<const Intent> profiles)
{
    constexpr std::uint16_t number_of_default = 0x7fff;
    std::map<std::uint16_t, bool> partitions; // true: needs an InfiniBand MTU of 4096
    for (const auto &i : profiles) {
        const auto number = static_cast<std::uint16_t>(i.p_key.value_or(number_of_default) & 0x7fff);
        const bool is_datagram = i.mode.value_or(TransportMode::datagram) == TransportMode::datagram;
        if (number != 0) partitions[number] |= is_datagram && i.mtu && *i.mtu > 2048 - mtu::encapsulation;
    }
    const auto own = partitions.find(number_of_default);
    const bool is_large = own != partitions.end() && own->second;
    if (own != partitions.end()) partitions.erase(own);
    if (partitions.empty() && !is_large) return {};
    const auto flags = [](bool large) {
        return std::string(", ipoib") + (large ? ", mtu=5" : "") + ", defmember=full : ALL;";
    };
    // With a file but without this line, opensm makes every port a limited member of the default partition.
    std::vector<std::string> all{"Default=0x7fff" + flags(is_large)};
    for (const auto &[number, large] : partitions) {
        const auto key = hex(number | 0x8000, 4);
        all.push_back("P" + key.substr(2) + "=" + key + flags(large));
    }
    return all;
}

std::string opensm_option(std::string_view conf, std::string_view key)
{
    std::string value;
    while (!conf.empty()) {
        const auto line = trim(take(conf));
        const auto word = line.substr(0, line.find_first_of(" \t"));
        if (word == key) value = trim(line.substr(word.size(), line.find('#') - word.size()));
    }
    return value == "(null)" ? "" : value; // an unset value in opensm's file
}

} // namespace nmib
