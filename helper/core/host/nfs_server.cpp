// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/host/nfs_server.hpp"

#include "core/base/text.hpp"

#include <algorithm>

namespace nmib
{

namespace
{
/// Returns true for nfs-utils' words for yes (conffile.c, conf_get_bool), in any case.
bool is_yes(std::string word)
{
    std::transform(word.begin(), word.end(), word.begin(),
                   [](char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c); });
    return word == "1" || word == "t" || word == "true" || word == "y" || word == "yes" || word == "on";
}

/// Replaces "\\040" by a blank (fstab(5)).
std::string unescaped(std::string_view word)
{
    std::string plain(word);
    for (auto at = plain.find("\\040"); at != plain.npos; at = plain.find("\\040", at)) plain.replace(at, 4, " ");
    return plain;
}
} // namespace

std::vector<unsigned> rdma_listeners(std::string_view text)
{
    constexpr std::string_view start = "rdma ";
    std::vector<unsigned> all;
    while (!text.empty()) {
        const auto line = trim(take(text));
        const auto port = line.starts_with(start) ? parse_decimal(line.substr(start.size()), 65535) : std::nullopt;
        if (port && std::find(all.begin(), all.end(), *port) == all.end()) all.push_back(static_cast<unsigned>(*port));
    }
    return all;
}

std::string NfsSetting::read(std::string_view conf)
{
    std::string words;
    bool in_nfsd = false;
    while (!conf.empty()) {
        const auto line = trim(take(conf));
        if (line.starts_with('[')) in_nfsd = line.starts_with("[nfsd]");
        const auto equals = line.find('=');
        const auto key = trim(line.substr(0, equals));
        if (!in_nfsd || equals == line.npos || (key != "rdma" && key != "rdma-port")) continue;
        const std::string value(trim(line.substr(equals + 1)));
        words += (words.empty() ? "" : " ") + std::string(key) + "=" + value;
        (key == "rdma" ? rdma_ : port_) = value;
    }
    return words;
}

bool NfsSetting::by_name() const { return is_yes(rdma_) && port_.empty(); }

std::optional<unsigned> NfsSetting::port(bool has_name) const
{
    const auto number = parse_decimal(is_yes(rdma_) ? port_ : rdma_, 65535);
    if (number && *number != 0) return static_cast<unsigned>(*number);
    return by_name() && has_name ? std::optional<unsigned>(nfs_rdma_port) : std::nullopt;
}

bool MountLine::has(std::string_view option) const
{
    return std::find(options.begin(), options.end(), option) != options.end();
}

std::string MountLine::value(std::string_view option) const
{
    for (const auto &o : options)
        if (o.starts_with(option) && o.size() > option.size() && o[option.size()] == '=')
            return o.substr(option.size() + 1);
    return {};
}

std::vector<MountLine> parse_mounts(std::string_view text)
{
    std::vector<MountLine> all;
    while (!text.empty()) {
        const auto line = trim(take(text));
        const auto words = cut(line, " \t");
        if (words.size() < 4 || line.starts_with('#')) continue;
        all.push_back({unescaped(words[0]), unescaped(words[1]), unescaped(words[2]), cut(unescaped(words[3]), ",")});
    }
    return all;
}

} // namespace nmib
