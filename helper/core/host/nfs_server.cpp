// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/host/nfs_server.hpp"

#include "core/number.hpp"

#include <algorithm>

namespace nmib
{

namespace
{
/// Takes a line off a text.
std::string_view take_line(std::string_view &text)
{
    const auto end = std::min(text.find('\n'), text.size());
    const auto line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return trim(line);
}
} // namespace

HostFile nfs_server_place() { return {.directory = "/etc/nfs.conf.d", .name = "90-nm-ib.conf"}; }

HostFile nfs_server_file(unsigned port)
{
    auto file = nfs_server_place();
    const auto number = std::to_string(port);
    const auto command = port == 0               ? std::string("tcp")
                         : port == nfs_rdma_port ? std::string("rdma")
                                                 : "rdma port " + number;
    file.text = host_head("nfs-server " + command, "nfs-server default");
    // As a number: "y" looks for the name nfsrdma, which /etc/services often has not, and then nobody listens.
    file.text += "[nfsd]\nrdma=" + (port == 0 ? "n" : number) + "\n";
    return file;
}

std::vector<unsigned> rdma_listeners(std::string_view text)
{
    constexpr std::string_view start = "rdma ";
    std::vector<unsigned> all;
    while (!text.empty()) {
        const auto line = take_line(text);
        const auto port = line.starts_with(start) ? parse_decimal(line.substr(start.size()), 65535) : std::nullopt;
        if (port && std::find(all.begin(), all.end(), *port) == all.end()) all.push_back(static_cast<unsigned>(*port));
    }
    return all;
}

std::string nfs_rdma_words(std::string_view text)
{
    std::string words;
    bool in_nfsd = false;
    while (!text.empty()) {
        const auto line = take_line(text);
        if (line.starts_with('[')) in_nfsd = line.starts_with("[nfsd]");
        const auto equals = line.find('=');
        if (!in_nfsd || equals == line.npos) continue;
        const auto key = trim(line.substr(0, equals));
        if (key != "rdma" && key != "rdma-port") continue;
        if (!words.empty()) words += " ";
        words += std::string(key) + "=" + std::string(trim(line.substr(equals + 1)));
    }
    return words;
}

} // namespace nmib
