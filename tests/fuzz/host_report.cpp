// SPDX-License-Identifier: LGPL-2.1-or-later
// Any bytes as what a host told. Nothing crashes; why it is refused is one line; what is read can be compared, with a
// host that fits, and tells nothing that would break a line.
#include "verbs/doctor/merge/host_report.hpp"
#include "core/merge/merge.hpp"

#include <cstdlib>

using namespace nmib;

namespace
{
void require(bool holds)
{
    if (!holds) std::abort();
}

constexpr const char *other =
    R"({"schema":1,"host":"b","hcas":[{"name":"m","node_guid":"0x0002c90300000010","board_id":"B","firmware":"2"}],)"
    R"("ports":[{"hca":"m","number":1,"link_layer":"InfiniBand","state":"Active","lid":2,"sm_lid":1,"mtu_active":2048,)"
    R"("p_keys":[{"index":0,"p_key":"0x7fff"}],"gids":[{"index":0,"gid":"fe80:0000:0000:0000:0002:c903:0000:0011"}],)"
    R"("interfaces":[{"interface":"ib0","mtu":2044,"mode":"datagram","p_key":"0xffff","up":true}]}]})";
} // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char *data, std::size_t size)
{
    const auto report = cli::parse_host_report({reinterpret_cast<const char *>(data), size});
    if (!report) {
        require(!report.error().what.empty() && report.error().what.find('\n') == std::string::npos);
        return 0;
    }
    require(!report->host.empty());
    const auto beside = cli::parse_host_report(other);
    require(static_cast<bool>(beside));
    const auto merged = merge({*report, *beside});
    require(merged.hosts >= 1 && merged.hosts <= 2);
    for (const auto &t : merged.troubles) {
        require(!t.hosts.empty());
        for (const auto &text : {seen(t), why(t), mend(t)})
            require(!text.empty() && text.find_first_of(std::string_view("\n\r\0\x1b", 4)) == std::string::npos);
    }
    return 0;
}
