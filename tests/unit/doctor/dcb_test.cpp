// SPDX-License-Identifier: LGPL-2.1-or-later
/// The output of iproute2's program dcb.
#include "verbs/doctor/dcb.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace nmib::cli
{
namespace
{

using testing::Optional;
using testing::Pair;
using testing::UnorderedElementsAre;

// recorded in the lab, iproute2 6.1.0
constexpr const char *app =
    R"({"ethtype_prio":[[35093,4]],"dscp_prio":[[24,3],[26,2],[26,3]],"dgram_port_prio":[[4791,3]]})"
    "\n";
constexpr const char *pfc = R"({"pfc_cap":8,"macsec_bypass":false,"delay":0,"prio_pfc":)"
                            R"([false,false,false,true,false,false,false,false]})"
                            "\n";

TEST(DcbTest, TablesAreRead)
{
    const auto dcb = parse_dcb(app, pfc);
    EXPECT_THAT(dcb.of_dscp, Optional(UnorderedElementsAre(Pair(24, 3), Pair(26, 3))));
    EXPECT_THAT(dcb.of_udp_port, Optional(UnorderedElementsAre(Pair(4791, 3))));
    EXPECT_EQ(dcb.flow_control, (std::vector<bool>{false, false, false, true, false, false, false, false}));
    EXPECT_THAT(parse_dcb("{}\n", "").of_dscp, Optional(testing::IsEmpty())) << "an empty table";
}

TEST(DcbTest, ListsOfIproute2615AreRead)
{
    const auto dcb = parse_dcb(R"({"dscp_prio":[[24,3," "],[26,3," "]],"dgram_port_prio":[[4791,3," "]]})", "{}");
    EXPECT_THAT(dcb.of_dscp, Optional(UnorderedElementsAre(Pair(24, 3), Pair(26, 3))));
    EXPECT_THAT(dcb.of_udp_port, Optional(UnorderedElementsAre(Pair(4791, 3))));
}

TEST(DcbTest, InvalidOutputIsUnknown)
{
    for (const auto *text :
         {"", "\n", "null", "[]", "7", "Attribute read", R"({"dscp_prio":7})", R"({"dscp_prio":[7]})",
          R"({"dscp_prio":[[26]]})", R"({"dscp_prio":[[26,8]]})", R"({"dscp_prio":[[64,3]]})",
          R"({"dscp_prio":[["26",3]]})", R"({"dscp_prio":[[26,-3]]})", R"({"dscp_prio":[[26,3.5]]})",
          R"({"dscp_prio":[[26,18446744073709551619]]})", R"({"dscp_prio":[[26,3])"})
        EXPECT_FALSE(parse_dcb(text, "").of_dscp) << text;
    for (const auto *text : {"", "null", "{}", R"({"prio_pfc":true})", R"({"prio_pfc":[true]})",
                             R"({"prio_pfc":["on","on","on","on","on","on","on","on"]})",
                             R"({"prio_pfc":[true,true,true,true,true,true,true,true,true]})"})
        EXPECT_FALSE(parse_dcb("", text).flow_control) << text;
}

} // namespace
} // namespace nmib::cli
