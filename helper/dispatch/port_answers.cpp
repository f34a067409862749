// SPDX-License-Identifier: LGPL-2.1-or-later
#include "dispatch/port_answers.hpp"

#include "apply/base/file.hpp"
#include "apply/plan/apply.hpp"
#include "core/base/text.hpp"
#include "probe/plan/state.hpp"

#include <ctime>

namespace nmib
{

namespace
{
/// Seconds for which the answers of a port hold, unless its carrier changes.
constexpr std::uint64_t one_event = 10;

std::uint64_t seconds_since_boot()
{
    timespec now{};
    ::clock_gettime(CLOCK_BOOTTIME, &now);
    return static_cast<std::uint64_t>(now.tv_sec);
}
} // namespace

std::string PortAnswers::str() const
{
    auto text =
        std::to_string(second) + " " + std::to_string(carrier_changes) + " " + (sm_lid ? std::to_string(*sm_lid) : "-");
    if (!pkeys) return text + " -\n";
    for (const auto key : *pkeys) text += " " + hex(key.value(), 4);
    return text + "\n";
}

std::optional<PortAnswers> PortAnswers::parse(std::string_view text)
{
    text = trim(text);
    PortAnswers a;
    const auto second = parse_decimal(take(text, ' '), UINT64_MAX),
               changes = parse_decimal(take(text, ' '), UINT64_MAX);
    const auto lid = take(text, ' ');
    if (!second || !changes) return std::nullopt;
    a.second = *second;
    a.carrier_changes = *changes;
    if (const auto value = parse_decimal(lid, 0xffff)) a.sm_lid = static_cast<unsigned>(*value);
    if (text == "-") return a;
    a.pkeys.emplace();
    while (!text.empty()) {
        const auto key = parse_number(take(text, ' '), 0xffff);
        const auto pkey = key ? PKey::from(static_cast<std::uint32_t>(*key)) : std::nullopt;
        if (!pkey) return std::nullopt;
        a.pkeys->push_back(*pkey);
    }
    return a;
}

void ask_port(Probe &probe, const ProbePaths &paths, Facts &facts)
{
    const auto *root = facts.links.empty() ? nullptr : facts.root(facts.links.front());
    if (!root || !facts.device || facts.device->ports.empty()) return;
    auto &port = facts.device->ports.front();
    const FileLock lock(paths.state, "port.lock");
    const auto changes = carrier_changes(probe.sysfs().root(), root->name).value_or(0);
    const auto kept = read_state(paths.state, state_port, root->name, root->ifindex);
    const auto answers = kept ? PortAnswers::parse(*kept) : std::nullopt;
    const auto now = seconds_since_boot();
    if (answers && answers->carrier_changes == changes && now - answers->second < one_event) {
        if (answers->sm_lid) port.sm_lid = *answers->sm_lid;
        if (!answers->pkeys) return;
        std::vector<PKeyEntry> entries;
        for (const auto key : *answers->pkeys) entries.push_back({.key = key});
        port.pkeys = std::move(entries);
        return;
    }
    probe.read_sm_lid(facts);
    probe.read_pkeys(facts);
    PortAnswers read{.second = now, .carrier_changes = changes};
    if (port.sm_lid) read.sm_lid = *port.sm_lid;
    if (port.pkeys) {
        read.pkeys.emplace();
        for (const auto &entry : *port.pkeys) read.pkeys->push_back(entry.key);
    }
    (void)keep_state(paths.state, state_port, root->name, root->ifindex, read.str());
}

} // namespace nmib
