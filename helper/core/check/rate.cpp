// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/check/rate.hpp"

#include "core/base/message.hpp"
#include "core/base/number.hpp"

namespace nmib
{

namespace
{
constexpr unsigned part(unsigned whole, unsigned of, unsigned in) noexcept
{
    return static_cast<unsigned>(std::uint64_t{whole} * of / in);
}
} // namespace

unsigned data_rate(const PortRate &rate, LinkLayer layer) noexcept
{
    if (layer != LinkLayer::infiniband) return rate.mbps;
    const std::string_view lanes(rate.lanes);
    const auto blank = lanes.find(' ');
    const auto speed = blank == lanes.npos ? "SDR" : lanes.substr(blank + 1); // older kernels leave the word SDR out
    if (speed == "SDR" || speed == "DDR" || speed == "QDR") return part(rate.mbps, 8, 10);
    return speed == "FDR" ? part(rate.mbps, 64, 66) : rate.mbps;
}

std::optional<unsigned> pci_rate(std::string_view speed, std::string_view width) noexcept
{
    const auto unit = speed.find(" GT/s");
    if (unit == speed.npos) return std::nullopt;
    const auto number = speed.substr(0, unit);
    const auto point = number.find('.');
    const auto whole = parse_decimal(number.substr(0, point), 1000);
    const auto tenths = point == number.npos ? 0 : parse_decimal(number.substr(point + 1), 9);
    const auto lanes = parse_decimal(trim(width), 64);
    if (!whole || !tenths || !lanes || *lanes == 0) return std::nullopt;
    const auto raw = static_cast<unsigned>((*whole * 1000 + *tenths * 100) * *lanes);
    return raw == 0 ? std::nullopt : std::optional(*whole < 8 ? part(raw, 8, 10) : part(raw, 128, 130));
}

std::string rate_text(unsigned mbps)
{
    if (mbps < 1000) return message(untranslated, "{} Mbit/s", mbps);
    const auto tenths = mbps % 1000 / 100;
    return tenths ? message(untranslated, "{}.{} Gbit/s", mbps / 1000, tenths)
                  : message(untranslated, "{} Gbit/s", mbps / 1000);
}

} // namespace nmib
