// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/host/partitions.hpp"

#include "core/number.hpp"

#include <algorithm>
#include <map>

namespace nmib
{

namespace
{
/// The part in front of a separator, which goes with it.
std::string_view take(std::string_view &text, std::string_view separators)
{
    const auto end = std::min(text.find_first_of(separators), text.size());
    const auto part = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return trim(part);
}

/// The smallest InfiniBand MTU above opensm's own that carries it; 0 where that is enough.
unsigned ib_mtu_for(const Intent &i)
{
    constexpr unsigned usual = 2048, highest = 4096;
    const bool is_datagram = i.mode.value_or(TransportMode::datagram) == TransportMode::datagram;
    return is_datagram && i.mtu && *i.mtu > usual - mtu::encapsulation ? highest : 0;
}

/// The codes of PortInfo.NeighborMTU: 1 is 256 bytes, 5 is 4096.
unsigned bytes_of(std::uint64_t code) { return 128U << code; }

/// "Default=0x7fff, ipoib, mtu=5"
std::optional<Partition> parse_definition(std::string_view text)
{
    const auto name = take(text, ",");
    const auto equals = name.find('=');
    const auto key = equals == name.npos ? std::nullopt : parse_number(trim(name.substr(equals + 1)), 0xffff);
    if (!key || (*key & 0x7fff) == 0) return {};
    Partition p{.number = static_cast<std::uint16_t>(*key & 0x7fff), .ipoib = false};
    while (!text.empty()) {
        auto flag = take(text, ",");
        const auto word = take(flag, "=");
        const auto code = parse_decimal(flag, 7);
        if (word == "ipoib") p.ipoib = true;
        if (word == "mtu" && code && *code != 0) p.ib_mtu = bytes_of(*code);
    }
    return p;
}
} // namespace

std::vector<Partition> wanted_partitions(std::span<const Intent> profiles)
{
    std::map<std::uint16_t, unsigned> mtus;
    for (const auto &i : profiles) {
        const auto number = static_cast<std::uint16_t>(i.p_key.value_or(default_partition) & 0x7fff);
        if (number == 0) continue; // no P_Key
        auto &known = mtus[number];
        known = std::max(known, ib_mtu_for(i));
    }
    const auto own = mtus.find(default_partition);
    const Partition first{.number = default_partition, .ib_mtu = own == mtus.end() ? 0 : own->second};
    mtus.erase(default_partition);
    if (mtus.empty() && first.ib_mtu == 0) return {};
    std::vector<Partition> all{first}; // with a file opensm makes everybody a limited member of it, unless told
    for (const auto &[number, ib_mtu] : mtus) all.push_back({.number = number, .ib_mtu = ib_mtu});
    return all;
}

std::string partition_line(const Partition &p)
{
    const bool is_default = p.number == default_partition;
    std::string line = is_default ? "Default=0x7fff, ipoib" : "P" + hex(p.number | 0x8000, 4).substr(2) + "=";
    if (!is_default) line += hex(p.number | 0x8000, 4) + ", ipoib";
    for (unsigned code = 1; code < 8; code++)
        if (p.ib_mtu == bytes_of(code)) line += ", mtu=" + std::to_string(code);
    return line + ", defmember=full : ALL;";
}

std::vector<Partition> parse_partitions(std::string_view text)
{
    std::string plain;
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        const auto line = text.substr(0, end);
        plain += std::string(line.substr(0, line.find('#'))) + " ";
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    std::vector<Partition> all;
    for (std::string_view rest = plain; !rest.empty();) {
        auto statement = take(rest, ";");
        if (const auto p = parse_definition(take(statement, ":"))) all.push_back(*p);
    }
    return all;
}

std::vector<Partition> missing_partitions(std::span<const Partition> wanted, std::span<const Partition> there)
{
    constexpr unsigned usual = 2048;
    std::vector<Partition> missing;
    for (const auto &w : wanted) {
        const auto gives = [&](const Partition &t) {
            return t.number == w.number && t.ipoib && (t.ib_mtu == 0 ? usual : t.ib_mtu) >= w.ib_mtu;
        };
        if (std::none_of(there.begin(), there.end(), gives)) missing.push_back(w);
    }
    return missing;
}

std::string opensm_option(std::string_view conf, std::string_view key)
{
    std::string value;
    while (!conf.empty()) {
        const auto end = std::min(conf.find('\n'), conf.size());
        auto line = trim(conf.substr(0, end));
        conf.remove_prefix(std::min(end + 1, conf.size()));
        if (take(line, " \t") == key) value = take(line, " \t#");
    }
    return value == "(null)" ? "" : value; // as opensm writes one that is not set
}

std::string command_option(std::string_view exec, std::string_view shorter, std::string_view longer)
{
    bool is_next = false;
    while (!exec.empty()) {
        const auto word = take(exec, " ");
        if (is_next) return std::string(word);
        is_next = word == shorter || word == longer;
        if (word.starts_with(longer) && word.size() > longer.size() && word[longer.size()] == '=')
            return std::string(word.substr(longer.size() + 1));
    }
    return {};
}

HostFile partitions_file(const std::string &path, std::span<const Partition> partitions, std::string_view command)
{
    const auto slash = path.rfind('/');
    HostFile file{.directory = path.substr(0, slash), .name = path.substr(slash + 1)};
    if (partitions.empty()) return file;
    file.text = host_head(command, "opensm default");
    for (const auto &p : partitions) file.text += partition_line(p) + "\n";
    return file;
}

} // namespace nmib
