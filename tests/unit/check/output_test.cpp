// SPDX-License-Identifier: LGPL-2.1-or-later
// Real and impossible output of ping and iperf3.
#include "verbs/doctor/check/output.hpp"

#include <gtest/gtest.h>

#include <string>

namespace nmib::cli
{
namespace
{

constexpr const char *answered = "PING 192.0.2.2 (192.0.2.2) 56(84) bytes of data.\n"
                                 "64 bytes from 192.0.2.2: icmp_seq=1 ttl=64 time=39.2 ms\n"
                                 "64 bytes from 192.0.2.2: icmp_seq=2 ttl=64 time=0.823 ms\n"
                                 "64 bytes from 192.0.2.2: icmp_seq=2 ttl=64 time=0.9 ms (DUP!)\n"
                                 "64 bytes from 192.0.2.2: icmp_seq=4 ttl=64 time=1024 ms\n"
                                 "\n"
                                 "--- 192.0.2.2 ping statistics ---\n"
                                 "5 packets transmitted, 3 received, +1 duplicates, 40% packet loss, time 812ms\n"
                                 "rtt min/avg/max/mdev = 0.823/354.674/1024.000/473.9 ms\n";

TEST(PingOutput, AnswersAreParsed)
{
    const auto seen = parse_ping(answered, "");
    ASSERT_EQ(seen.answers.size(), 3U);
    EXPECT_EQ(seen.answers[1].sequence, 2U);
    EXPECT_DOUBLE_EQ(seen.answers[0].ms, 39.2);
    EXPECT_DOUBLE_EQ(seen.answers[1].ms, 0.823);
    EXPECT_DOUBLE_EQ(seen.answers[2].ms, 1024);
    EXPECT_EQ(seen.sent, 5U);
    EXPECT_EQ(seen.error_line, "");
}

TEST(PingOutput, LocalErrorIsKept)
{
    const auto summary = "PING 192.0.2.2 (192.0.2.2) 2017(2045) bytes of data.\n\n--- 192.0.2.2 ping statistics ---\n"
                         "3 packets transmitted, 0 received, +3 errors, 100% packet loss, time 2004ms\n";
    const auto seen = parse_ping(summary, "ping: local error: message too long, mtu=2044\nping: again\n");
    EXPECT_EQ(seen.sent, 3U);
    EXPECT_TRUE(seen.answers.empty());
    EXPECT_EQ(seen.error_line, "ping: local error: message too long, mtu=2044");
}

TEST(PingOutput, OtherOutputHasNoAnswers)
{
    for (const auto *out : {"", "\n", "64 bytes from x: icmp_seq= ttl=64 time= ms\n", "usage: ping\n",
                            "64 bytes from x: icmp_seq=-1 time=1 ms\n", "64 bytes from x: icmp_seq=1 time=1.2.3 ms\n",
                            "64 bytes from x: icmp_seq=99999999999 time=1 ms\n", "x packets transmitted\n"}) {
        const auto seen = parse_ping(out, "ping: socket: Operation not permitted\n");
        EXPECT_TRUE(seen.answers.empty()) << out;
        EXPECT_FALSE(seen.sent) << out;
        EXPECT_EQ(seen.error_line, "ping: socket: Operation not permitted");
    }
}

constexpr const char *report =
    R"({"start":{"connected":[{"socket":5}],"version":"iperf 3.12","tcp_mss_default":1992,
       "test_start":{"protocol":"TCP","num_streams":1}},"intervals":[],
       "end":{"sum_sent":{"bits_per_second":1.7e8,"retransmits":0},"sum_received":{"bits_per_second":1.69e8},
       "cpu_utilization_percent":{"host_total":12.5,"remote_total":97.25}}})";

TEST(IperfOutput, ReportIsParsed)
{
    const auto seen = parse_iperf(report);
    ASSERT_TRUE(seen) << seen.error().what;
    EXPECT_EQ(seen->mbps, 169U);
    EXPECT_EQ(seen->mss, 1992U);
}

TEST(IperfOutput, ErrorHasTheTextOfIperf)
{
    for (const std::string error : {"unable to connect to server: Connection refused",
                                    "error - the server is busy running a test. try again later"}) {
        const auto seen = parse_iperf(R"({"start":{},"error":")" + error + R"("})");
        ASSERT_FALSE(seen);
        EXPECT_EQ(seen.error().what, error);
    }
}

TEST(IperfOutput, OtherOutputIsRefused)
{
    for (const auto *out : {"", "[]", "1", "{", "{}", R"({"end":1})", R"({"end":{"sum_received":[]}})",
                            R"({"end":{"sum_received":{"bits_per_second":"x"}}})",
                            R"({"end":{"sum_received":{"bits_per_second":-1}}})", "\xff\xfe{}"}) {
        const auto seen = parse_iperf(out);
        ASSERT_FALSE(seen) << out;
        EXPECT_EQ(seen.error().kind, Error::Kind::invalid) << out;
    }
}

TEST(IperfOutput, ValuesOutOfRangeAreLimited)
{
    const auto seen = parse_iperf(R"({"start":{"version":7,"tcp_mss_default":1e300,"test_start":{"num_streams":-3}},
        "end":{"sum_received":{"bits_per_second":1e300},"cpu_utilization_percent":[]}})");
    ASSERT_TRUE(seen);
    EXPECT_EQ(seen->mbps, 1'000'000'000U);
    EXPECT_EQ(seen->mss, 1U << 20);
}

TEST(IperfOutput, TruncatedReportIsRefused)
{
    const std::string whole(report);
    for (std::size_t size = 0; size < whole.size(); size++) EXPECT_FALSE(parse_iperf(whole.substr(0, size))) << size;
}

} // namespace
} // namespace nmib::cli
