// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/merge/merge.hpp"

namespace nmib::merging
{

namespace
{
constexpr Trouble::Kind kinds[] = {
    {"firmware-differs", N_("cards with the board id {where} have different firmware: {value}"),
     N_("What works on one host may fail on another: modes, virtual functions, speeds of cables."), Trouble::By::hands,
     N_("With the vendor's tool, on the hosts that differ: mstflint -d PCI_ADDRESS query; then burn the firmware that "
        "the others have")},
};
} // namespace

const std::span<const Trouble::Kind> card_kinds = kinds;

std::vector<Trouble> card(const Fabric &fabric)
{
    std::map<std::string, Differing> boards;
    for (const auto &report : fabric.reports())
        for (const auto &device : report.devices)
            if (device.board_id && device.firmware && !device.physical_function)
                boards[*device.board_id].add(*device.firmware, fabric.name(report));
    std::vector<Trouble> all;
    for (const auto &[board, firmware] : boards)
        if (firmware.between_hosts())
            all.push_back({.kind = &kinds[0],
                           .severity = Trouble::Severity::warning,
                           .where = board,
                           .value = firmware.text(fabric.translate()),
                           .hosts = firmware.odd()});
    return all;
}

} // namespace nmib::merging
