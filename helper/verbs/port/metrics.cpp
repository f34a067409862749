// SPDX-License-Identifier: LGPL-2.1-or-later
#include "verbs/port/metrics.hpp"
#include "core/base/text.hpp"
#include "core/ib/counters.hpp"

#include <algorithm>
#include <cstdio>

namespace nmib::cli
{

namespace
{
std::string text_of(const Metrics::Labels &labels)
{
    std::string text;
    for (const auto &[name, value] : labels) {
        if (value.empty()) continue;
        text += (text.empty() ? "{" : ",") + std::string(name) + "=\"";
        for (const char c : printable(value)) text += (c == '"' || c == '\\' ? "\\" : "") + std::string(1, c);
        text += "\"";
    }
    return text.empty() ? text : text + "}";
}
} // namespace

void Metrics::add(const Metric &metric, const Labels &labels, std::uint64_t value)
{
    auto family = std::find_if(families_.begin(), families_.end(),
                               [&](const Family &f) { return std::string_view(f.metric.name) == metric.name; });
    if (family == families_.end()) family = families_.insert(family, Family{metric, {}});
    auto text = text_of(labels);
    const auto same = std::find_if(family->samples.begin(), family->samples.end(),
                                   [&](const auto &sample) { return sample.first == text; });
    if (same != family->samples.end())
        same->second += value; // node_exporter refuses a file with two
    else
        family->samples.emplace_back(std::move(text), value);
}

std::string Metrics::text() const
{
    std::string text;
    for (const auto &[metric, samples] : families_) {
        const auto name = std::string("nm_ib_") + metric.name;
        text += "# HELP " + name + " " + metric.help + "\n";
        text += "# TYPE " + name + (name.ends_with("_total") ? " counter\n" : " gauge\n");
        for (const auto &[labels, value] : samples) text += name + labels + " " + std::to_string(value) + "\n";
    }
    return text;
}

void Metrics::print() const { std::fputs(text().c_str(), stdout); }

namespace
{
// The numbers of states are the kernel's, and node_exporter's.
constexpr Metric port_info{"port_info", "What a port is; always 1."},
    port_up{"port_up", "Whether the state of the port is Active."},
    state_id{"port_state_id", "State: 1 Down, 2 Init, 3 Armed, 4 Active."},
    physical_state_id{
        "port_physical_state_id",
        "Physical state: 1 Sleep, 2 Polling, 3 Disabled, 4 Training, 5 LinkUp, 6 LinkErrorRecovery, 7 PhyTest."},
    rate{"port_rate_bytes_per_second",
         "Rate on the wire, all lanes together; up to QDR, the data rate is 80 % of this."},
    sm_lid{"port_sm_lid", "LID of the subnet manager; 0: none was seen."},
    port_mtu{"port_mtu_bytes", "InfiniBand MTU in use."},
    interface_info{"interface_info", "What an interface is; always 1."},
    interface_up{"interface_up", "Whether the interface is up."},
    carrier{"interface_carrier", "Whether the interface has a carrier."},
    mtu{"interface_mtu_bytes", "MTU of the interface."},
    connected_mode{"interface_connected_mode", "Transport mode: 1 connected, 0 datagram."},
    activated{"interface_activated", "Whether NetworkManager has activated a profile on the interface."};
constexpr Metric counters[] = {
    {"port_symbol_error_total", "Symbol errors on the lanes (sysfs: symbol_error)."},
    {"port_rcv_errors_total", "Packets received with an error (sysfs: port_rcv_errors)."},
    {"port_link_error_recovery_total", "Times that the link recovered from an error (sysfs: link_error_recovery)."},
    {"port_link_downed_total", "Times that the link went down (sysfs: link_downed)."},
};
static_assert(std::size(counters) == std::size(error_counters)); // in the same order

void add(Metrics &metrics, const RdmaDevice &device, const RdmaPort &port)
{
    const Metrics::Labels labels{
        {"hca", device.name}, {"port", std::to_string(port.number)}, {"guid", port.guid ? port.guid->str() : ""}};
    auto info = labels;
    const auto text = [](const Read<std::string> &read) { return read ? *read : std::string(); };
    info.insert(info.end(), {{"link_layer", std::string(port.layer ? word(*port.layer) : "")},
                             {"lanes", port.rate ? port.rate->lanes : ""},
                             {"board_id", text(device.board_id)},
                             {"firmware", text(device.firmware)}});
    metrics.add(port_info, info, 1);
    if (port.state) {
        metrics.add(port_up, labels, *port.state == PortState::active);
        metrics.add(state_id, labels, static_cast<unsigned>(*port.state));
    }
    if (port.phys_state) metrics.add(physical_state_id, labels, static_cast<unsigned>(*port.phys_state));
    if (port.rate) metrics.add(rate, labels, std::uint64_t{port.rate->mbps} * 1000 * 1000 / 8);
    if (port.sm_lid) metrics.add(sm_lid, labels, *port.sm_lid);
    if (port.info) metrics.add(port_mtu, labels, port.info->mtu);
    for (std::size_t i = 0; i < std::size(counters); i++)
        if (const auto found = port.counters.find(error_counters[i]); found != port.counters.end())
            metrics.add(counters[i], labels, found->second);
}
} // namespace

void add(Metrics &metrics, const Inventory &all)
{
    for (const auto &device : all.devices)
        for (const auto &port : device.ports) {
            add(metrics, device, port);
            for (const auto &n : port.interfaces) {
                const auto *state = all.state_of(n);
                const Metrics::Labels labels{
                    {"interface", n.name.str()}, {"hca", device.name}, {"port", std::to_string(port.number)}};
                auto info = labels; // its labels change with the profile; an alert on the others would lose its series
                info.insert(info.end(),
                            {{"p_key", n.pkey ? n.pkey->str() : ""}, {"profile", state ? state->profile : ""}});
                metrics.add(interface_info, info, 1);
                metrics.add(interface_up, labels, n.up);
                metrics.add(carrier, labels, n.carrier);
                metrics.add(mtu, labels, n.mtu);
                if (n.mode) metrics.add(connected_mode, labels, *n.mode == TransportMode::connected);
                if (all.has_daemon) metrics.add(activated, labels, state && state->word == "connected");
            }
        }
}

} // namespace nmib::cli
