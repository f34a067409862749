// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/ib/link.hpp"

#include "core/base/message.hpp"
#include "core/base/text.hpp"

#include <algorithm>
#include <array>

namespace nmib
{

namespace
{
struct Lane {
    std::string_view word;
    unsigned mbps;
};
/// By LaneSpeed.
constexpr Lane rates[] = {{"", 0},        {"SDR", 2500},  {"DDR", 5000},  {"QDR", 10000},  {"FDR10", 10313},
                          {"FDR", 14063}, {"EDR", 25781}, {"HDR", 53125}, {"NDR", 106250}, {"XDR", 212500}};

/// Returns the speed of the highest bit in each field; the faster fields come first.
LaneSpeed fastest(unsigned ext2, unsigned ext, unsigned base) noexcept
{
    using enum LaneSpeed;
    if ((ext2 & 1U) != 0) return xdr;
    constexpr LaneSpeed extended[] = {fdr, edr, hdr, ndr}, basic[] = {sdr, ddr, qdr};
    for (std::size_t i = std::size(extended); i-- > 0;)
        if ((ext >> i & 1U) != 0) return extended[i];
    for (std::size_t i = std::size(basic); i-- > 0;)
        if ((base >> i & 1U) != 0) return basic[i];
    return none;
}

/// Decodes LinkWidth*: bit 0 is 1X, 1 is 4X, 2 is 8X, 3 is 12X, 4 is 2X.
unsigned widest(unsigned mask) noexcept
{
    constexpr std::pair<unsigned, unsigned> widths[] = {{8, 12}, {4, 8}, {2, 4}, {16, 2}, {1, 1}};
    for (const auto &[bit, width] : widths)
        if ((mask & bit) != 0) return width;
    return 0;
}

/// Decodes an MTU to bytes: 1 is 256, 5 is 4096.
unsigned mtu_of(unsigned code) noexcept { return code >= 1 && code <= 5 ? 128U << code : 0; }
} // namespace

std::string_view word(LaneSpeed speed) noexcept { return rates[static_cast<std::size_t>(speed)].word; }

std::optional<PortLink> PortLink::parse(std::string_view text) noexcept
{
    const auto end = text.find('X');
    const auto lanes = end == text.npos ? std::nullopt : parse_decimal(text.substr(0, end), 12);
    if (!lanes || *lanes == 0) return {};
    const auto rest = trim(text.substr(end + 1));
    for (const auto *lane = std::begin(rates) + 1; lane != std::end(rates); lane++)
        if (lane->word == (rest.empty() ? "SDR" : rest))
            return PortLink{static_cast<unsigned>(*lanes), static_cast<LaneSpeed>(lane - std::begin(rates))};
    return PortLink{static_cast<unsigned>(*lanes), LaneSpeed::none};
}

unsigned PortLink::mbps() const noexcept { return lanes * rates[static_cast<std::size_t>(speed)].mbps; }

std::string PortLink::str() const
{
    const auto speed_word = word(speed);
    return std::to_string(lanes) + "X" + (speed_word.empty() ? "" : " ") + std::string(speed_word);
}

std::optional<PortInfo> PortInfo::parse(std::span<const std::uint8_t> data) noexcept
{
    if (data.size() < 64) return {};
    const auto high = [&](std::size_t i) { return static_cast<unsigned>(data[i]) >> 4U; };
    const auto low = [&](std::size_t i) { return static_cast<unsigned>(data[i]) & 0xfU; };
    PortInfo p{.mtu = mtu_of(high(36)), .max_mtu = mtu_of(low(41))};
    if (!p.mtu || !p.max_mtu) return {};
    p.supported = {widest(data[30]), fastest(data[56] >> 3U & 3U, low(62), high(32))};
    p.active = {widest(data[31]), fastest(data[56] >> 5U & 3U, high(62), high(35))};
    // LinkSpeedExtEnabled has a fifth bit: 30 means no extended speed.
    const unsigned ext = data[63] & 0x1fU;
    p.enabled = {widest(data[29]), fastest(data[56] & 7U, ext == 30 ? 0 : ext & 0xfU, low(35))};
    return p;
}

PciLink PciLink::parse(std::string_view speed, std::string_view width) noexcept
{
    const auto number = speed.substr(0, speed.find(' '));
    const auto point = number.find('.');
    const auto whole = parse_decimal(number.substr(0, point), 1000);
    const auto tenths = point == number.npos ? 0 : parse_decimal(number.substr(point + 1), 9);
    const auto lanes = parse_decimal(width, 32);
    return {whole && tenths ? static_cast<unsigned>(*whole * 1000 + *tenths * 100) : 0,
            lanes ? static_cast<unsigned>(*lanes) : 0};
}

unsigned PciLink::mbps() const noexcept
{
    // 8b/10b to 5 GT/s, 128b/130b to 32 GT/s, then flits of 256 bytes with 236 bytes of packets.
    const auto code = mtps <= 5000 ? 0.8 : mtps <= 32000 ? 128.0 / 130 : 236.0 / 256;
    return static_cast<unsigned>(mtps * code * lanes);
}

std::string PciLink::str() const
{
    const auto tenths = mtps % 1000 / 100;
    return message(untranslated, "{}{} GT/s x{} ({} Gbit/s)", mtps / 1000, tenths ? "." + std::to_string(tenths) : "",
                   lanes, gbits());
}

bool is_pci_address(std::string_view word) noexcept
{
    if (word.size() < 12) return false;
    const auto domain = word.size() - 8; // ":05:00.0"
    const auto rest = word.substr(domain);
    return rest[0] == ':' && rest[3] == ':' && rest[6] == '.' && parse_hex(word.substr(0, domain), UINT32_MAX) &&
           parse_hex(rest.substr(1, 2), 0xff) && parse_hex(rest.substr(4, 2), 0x1f) && parse_hex(rest.substr(7), 7);
}

std::optional<NarrowPciLink> narrow_link(std::span<const PciHop> path) noexcept
{
    std::optional<NarrowPciLink> worst;
    // A card is below a downstream port, whose parent is the upstream port of a switch: each second pair is one link.
    for (std::size_t i = 0; i + 1 < path.size(); i += 2) {
        const auto &lower = path[i], &upper = path[i + 1];
        if (!lower.current.is_known() || !lower.maximum.is_known() || !upper.maximum.is_known()) continue;
        const PciLink possible{std::min(lower.maximum.mtps, upper.maximum.mtps),
                               std::min(lower.maximum.lanes, upper.maximum.lanes)};
        if (lower.current.mtps >= possible.mtps && lower.current.lanes >= possible.lanes) continue;
        if (!worst || lower.current.gbits() < worst->lower->current.gbits()) worst = {&lower, possible};
    }
    return worst;
}

} // namespace nmib
