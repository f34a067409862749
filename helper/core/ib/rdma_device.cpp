// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/ib/rdma_device.hpp"

#include "core/base/message.hpp"
#include "core/base/text.hpp"

#include <algorithm>

namespace nmib
{

namespace
{
std::optional<std::uint64_t> leading(std::string_view text, std::uint64_t max) noexcept
{
    return parse_decimal(trim(text.substr(0, text.find(':'))), max);
}
} // namespace

std::string_view word(LinkLayer layer) noexcept
{
    switch (layer) {
    case LinkLayer::roce: return "RoCE";
    case LinkLayer::iwarp: return "iWARP";
    case LinkLayer::infiniband: break;
    }
    return "InfiniBand";
}

std::string_view word(PortState state) noexcept
{
    constexpr std::string_view words[] = {"None", "Down", "Init", "Armed", "Active", "ActiveDefer"};
    return words[static_cast<std::size_t>(state)];
}

std::string_view word(PhysState state) noexcept
{
    constexpr std::string_view words[] = {"None",     "Sleep",  "Polling",       "Disabled",
                                          "Training", "LinkUp", "ErrorRecovery", "PhyTest"};
    return words[static_cast<std::size_t>(state)];
}

std::optional<PortState> parse_port_state(std::string_view text) noexcept
{
    const auto n = leading(text, 5);
    return n ? std::optional(static_cast<PortState>(*n)) : std::nullopt;
}

std::optional<PhysState> parse_phys_state(std::string_view text) noexcept
{
    const auto n = leading(text, 7);
    return n ? std::optional(static_cast<PhysState>(*n)) : std::nullopt;
}

std::optional<PortRate> PortRate::parse(std::string_view text)
{
    text = trim(text);
    const auto unit = text.find(" Gb/sec");
    if (unit == text.npos) return std::nullopt;
    const auto number = text.substr(0, unit), rest = trim(text.substr(unit + 7));
    const auto point = number.find('.');
    const auto whole = parse_decimal(number.substr(0, point), 1'000'000);
    const auto tenths = point == number.npos ? 0 : parse_decimal(number.substr(point + 1), 9);
    if (!whole || !tenths) return std::nullopt;
    PortRate rate{.mbps = static_cast<unsigned>(*whole * 1000 + *tenths * 100)};
    if (rest.size() > 2 && rest.front() == '(' && rest.back() == ')') rate.lanes = rest.substr(1, rest.size() - 2);
    return rate;
}

std::string PortRate::str() const
{
    const auto tenths = mbps % 1000 / 100;
    return message(untranslated, "{}{} Gb/s{}{}", mbps / 1000, tenths ? message(untranslated, ".{}", tenths) : "",
                   lanes.empty() ? "" : " ", lanes);
}

std::optional<std::uint64_t> subnet_prefix(const RdmaPort &port)
{
    if (!port.layer || *port.layer != LinkLayer::infiniband) return {};
    if (!port.gids || port.gids->empty() || port.gids->front().index != 0) return {};
    const auto &gid = port.gids->front().gid;
    const auto half = gid.size() == 39 ? Guid::parse(std::string_view(gid).substr(0, 19)) : std::nullopt;
    if (!half) return {};
    return half->value;
}

std::string PciId::str() const { return hex(vendor, 4).substr(2) + ":" + hex(device, 4).substr(2); }

bool PciId::is_virtual_function() const noexcept
{
    constexpr std::uint16_t ids[] = {0x1002, 0x1004, 0x1014, 0x1016, 0x1018, 0x101a, 0x101c, 0x101e, 0xa2d3};
    return vendor == 0x15b3 && std::find(std::begin(ids), std::end(ids), device) != std::end(ids);
}

std::optional<std::uint64_t> RdmaDevice::revision() const noexcept
{
    if (hw_rev) return parse_hex(*hw_rev, UINT32_MAX);
    return pci_revision ? std::optional<std::uint64_t>(*pci_revision) : std::nullopt;
}

namespace
{
std::optional<Guid> guid_in(std::string_view word) noexcept
{
    if (const auto guid = Guid::parse(word)) return guid;
    if (const auto address = HwAddr::parse(word)) return address->guid();
    if (word.size() == 39 && word[19] == ':') return Guid::parse(word.substr(20)); // a GID
    return {};
}
} // namespace

bool names_port(std::string_view word, const PortPlace &port) noexcept
{
    if (const auto guid = guid_in(word)) return guid->value != 0 && port.guid == *guid;
    const auto slash = word.rfind('/');
    if (slash != word.npos && parse_decimal(word.substr(slash + 1), 254) != port.number) return false;
    const auto card = word.substr(0, slash);
    if (card.empty()) return false;
    constexpr std::string_view domain = "0000:"; // omitted by lspci
    return card == port.hca || card == port.bus ||
           (card.find(':') == card.rfind(':') && port.bus.starts_with(domain) &&
            std::string_view(port.bus).substr(5) == card);
}

} // namespace nmib
