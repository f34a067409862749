// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/base/table.hpp"
#include "cli/port/report.hpp"
#include "core/number.hpp"
#include "core/printable.hpp"

#include <cstdlib>
#include <unistd.h>

namespace nmib::cli
{

namespace
{
bool is_coloured(const Options &options)
{
    if (options.colors != Options::Colors::automatic) return options.colors == Options::Colors::yes;
    const auto *none = std::getenv("NO_COLOR"), *terminal = std::getenv("TERM");
    return ::isatty(STDOUT_FILENO) == 1 && !(none && *none) && terminal && std::string_view(terminal) != "dumb";
}

std::string text_of(unsigned number) { return std::to_string(number); }
std::string text_of(const Guid &guid) { return guid.str(); }
constexpr auto as_text = [](const auto &value) { return text_of(value); };
constexpr auto as_rate = [](const PortRate &rate) { return rate.str(); };
/// "40 Gb/s" of "40 Gb/s 4X QDR": the table fits 80 columns.
constexpr auto as_speed = [](const PortRate &rate) {
    const auto text = rate.str();
    return text.substr(0, text.find(' ', text.find(' ') + 1));
};
constexpr auto as_word = [](const auto &value) { return std::string(word(value)); };

/// The physical state beside the logical one where it says more.
std::string state_of(const RdmaPort &port, bool coloured, Reasons &reasons)
{
    auto s = cell(port.state, reasons, as_word);
    if (port.phys_state && *port.phys_state != PhysState::link_up) s += "/" + std::string(word(*port.phys_state));
    if (!coloured || !port.state) return s;
    const auto *colour = *port.state == PortState::active ? "\033[32m"
                         : *port.state == PortState::down ? "\033[31m"
                                                          : "\033[33m";
    return colour + s + "\033[0m";
}

std::string mode_of(const PortNetdev &n) { return n.mode ? std::string(name(*n.mode)) : ""; }
std::string key_of(const PortNetdev &n) { return n.pkey ? n.pkey->str() : ""; }

Rows ports_of(const Inventory &all, bool coloured, Reasons &reasons)
{
    Rows rows{{_("PORT"), "LINK_LAYER", _("STATE"), _("RATE"), "LID", "SM_LID", "GUID"}, {}};
    for (const auto &device : all.devices)
        for (const auto &port : device.ports)
            rows.rows.push_back({printable(device.label(port)), cell(port.layer, reasons, as_word),
                                 state_of(port, coloured, reasons), printable(cell(port.rate, reasons, as_speed)),
                                 cell(port.lid, reasons, as_text), cell(port.sm_lid, reasons, as_text),
                                 cell(port.guid, reasons, as_text)});
    return rows;
}

Rows interfaces_of(const Inventory &all)
{
    Rows rows{{_("INTERFACE"), _("PORT"), "P_KEY", _("MODE"), "MTU", "NM_STATE", _("PROFILE")}, {}};
    for (const auto &device : all.devices)
        for (const auto &port : device.ports)
            for (const auto &n : port.interfaces) {
                const auto *state = all.state_of(n);
                rows.rows.push_back({(n.parent ? "  " : "") + printable(n.name.view()), printable(device.label(port)),
                                     key_of(n), mode_of(n), std::to_string(n.mtu), state ? state->word : "",
                                     state ? printable(state->profile) : ""});
            }
    return rows;
}

/// A row for each interface, and for a port without one.
Rows flat(const Inventory &all, Reasons &reasons)
{
    Rows rows{{"PORT", "LINK_LAYER", "STATE", "PHYSICAL_STATE", "RATE", "LID", "SM_LID", "MTU_ACTIVE", "MTU_MAX",
               "GUID", "INTERFACE", "PARENT", "P_KEY", "MODE", "MTU", "CARRIER", "NM_STATE", "PROFILE"},
              {}};
    for (const auto &device : all.devices)
        for (const auto &port : device.ports) {
            const Words own = {device.label(port),
                               cell(port.layer, reasons, as_word),
                               cell(port.state, reasons, as_word),
                               cell(port.phys_state, reasons, as_word),
                               cell(port.rate, reasons, as_rate),
                               cell(port.lid, reasons, as_text),
                               cell(port.sm_lid, reasons, as_text),
                               cell(port.mtu, reasons, [](const PortMtu &m) { return std::to_string(m.active); }),
                               cell(port.mtu, reasons, [](const PortMtu &m) { return std::to_string(m.maximum); }),
                               cell(port.guid, reasons, as_text)};
            const auto add = [&](const Words &more) {
                auto row = own;
                for (const auto &value : more) row.push_back(value);
                for (auto &value : row) value = printable(value);
                rows.rows.push_back(std::move(row));
            };
            if (port.interfaces.empty()) add(Words(8));
            for (const auto &n : port.interfaces) {
                const auto *state = all.state_of(n);
                add({n.name.str(), n.parent ? port.interfaces.front().name.str() : "", key_of(n), mode_of(n),
                     std::to_string(n.mtu), n.carrier ? "yes" : "no", state ? state->word : "",
                     state ? state->profile : ""});
            }
        }
    return rows;
}
} // namespace

Result<std::string> list_of(const Options &options, const Inventory &all, Reasons &reasons)
{
    if (options.print == Options::Print::terse || options.fields || options.multiline.value_or(false))
        return table(options, flat(all, reasons));
    const auto ports = ports_of(all, is_coloured(options), reasons), interfaces = interfaces_of(all);
    auto text = *table({}, ports);
    if (!interfaces.rows.empty()) text += "\n" + *table({}, interfaces);
    return text;
}

} // namespace nmib::cli
