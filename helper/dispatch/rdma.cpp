// SPDX-License-Identifier: LGPL-2.1-or-later
#include "dispatch/rdma.hpp"

#include "apply/file.hpp"
#include "apply/rdma/soft.hpp"
#include "apply/rdma/vf_guid.hpp"
#include "apply/state.hpp"
#include "core/number.hpp"
#include "core/printable.hpp"
#include "probe/profile.hpp"
#include "probe/rdma/facts.hpp"

#include <algorithm>
#include <net/if.h>

namespace nmib
{

namespace
{
using Severity = Finding::Severity;

/// What is kept of an interface: its profile's words, and what we made.
struct Kept {
    std::string profile{};
    RdmaWords words{};
    RdmaMade made{};

    std::string str() const { return "profile " + printable(profile) + "\n" + text(words) + made.str(); }
    static Kept parse(std::string_view text)
    {
        Kept kept{.made = RdmaMade::parse(text)};
        while (!text.empty()) {
            const auto line = text.substr(0, text.find('\n'));
            text.remove_prefix(std::min(text.size(), line.size() + 1));
            const auto equals = line.find('=');
            if (line.starts_with("profile "))
                kept.profile = line.substr(8);
            else if (const auto *word = find_rdma_word("rdma." + std::string(line.substr(0, equals)));
                     word && equals != line.npos)
                (void)set(kept.words, *word, line.substr(equals + 1)); // we wrote it
        }
        return kept;
    }
};

/// What is to be remembered of a step, before it is done: who is killed in the middle finds it at the next event.
RdmaMade after(const RdmaStep &step, const RdmaFacts &facts, RdmaMade made)
{
    if (const auto *add = std::get_if<AddSoft>(&step)) made.soft = add->name;
    const auto *roce = std::get_if<SetRoce>(&step);
    if (!roce || roce->back) return made;
    for (const auto &port : facts.ports) {
        if (port.device != roce->device || port.port != roce->port) continue;
        auto &was = made.was[port.label()];
        if (roce->to.mode && !was.mode) was.mode = port.roce.mode;
        if (roce->to.tos && !was.tos) was.tos = port.roce.tos;
    }
    return made;
}

Result<void> carry_out(const RdmaStep &step, const Dir &sysfs, const RdmaPaths &paths, RdmaMade &made)
{
    if (const auto *roce = std::get_if<SetRoce>(&step)) return set_roce(paths.configfs, *roce);
    if (const auto *add = std::get_if<AddSoft>(&step)) {
        auto r = add_soft_rdma(*add);
        if (!r) made.soft.clear();
        return r;
    }
    if (const auto *remove = std::get_if<RemoveSoft>(&step)) {
        auto r = remove_soft_rdma(*remove);
        if (r) made.soft.clear();
        return r;
    }
    auto rtnl = Rtnl::open();
    return rtnl ? set_vf_guid(sysfs, *rtnl, std::get<SetVfGuid>(step)) : rtnl.error();
}

/// With what RDMA-CM keeps, where that matters.
RdmaFacts look(const Dir &sysfs, const LinkRow &row, const Kept &kept, const RdmaPaths &paths)
{
    auto facts = read_rdma_facts(sysfs, row);
    for (auto &port : facts.ports) {
        const bool asked = kept.words.roce_mode || kept.words.roce_tos || kept.made.was.contains(port.label());
        if (!asked || !port.has_cm || port.layer != LinkLayer::roce) continue;
        if (auto now = read_roce(paths.configfs, port.device, port.port)) port.roce = *now;
    }
    return facts;
}

/// Does what the words ask, and keeps the words and what was there before.
void settle(const LinkRow &row, Kept &kept, const RdmaPaths &paths, Lines &lines)
{
    const auto sysfs = Dir::open(paths.sysfs), root = Dir::open(paths.root);
    if (!sysfs || !root) return;
    const auto facts = look(*sysfs, row, kept, paths);
    const auto &state = paths.handle.probe.state;
    const auto remember = [&] { return keep_state(state, state_rdma, row.ifindex, kept.str()); };
    // Gone, with its module or by hand: one of that name would be somebody else's.
    if (std::find(facts.devices.begin(), facts.devices.end(), kept.made.soft) == facts.devices.end())
        kept.made.soft.clear();
    const auto plan = plan_rdma(facts, kept.words, kept.made, kept.profile, [&](unsigned vf) {
        return automatic_guid(*root, facts.port_guid.value_or(Guid{}), vf).value_or(Guid{});
    });
    const auto link = row.name->str() + ": ";
    bool all_done = true;
    for (const auto &step : plan.steps) {
        if (const auto *vf = std::get_if<SetVfGuid>(&step); vf && vf->guid.value == 0) {
            lines.emplace_back(Severity::error, link + "/etc/machine-id cannot be read, no GUID is made of it");
            break;
        }
        kept.made = after(step, facts, kept.made);
        auto r = remember(); // or it would not be known as ours
        if (r) r = carry_out(step, *sysfs, paths, kept.made);
        all_done &= static_cast<bool>(r);
        if (!r)
            lines.emplace_back(Severity::error, link + printable(r.error().what));
        else
            lines.emplace_back(Severity::info, link + text(step) + " (profile '" + printable(kept.profile) + "')");
    }
    for (const auto &finding : plan.findings) lines.emplace_back(finding.severity, text(finding));
    if (all_done && !kept.words.roce_mode && !kept.words.roce_tos) kept.made.was.clear(); // given back
    if (!kept.words.empty() || !kept.made.empty()) {
        if (auto r = remember(); !r) lines.emplace_back(Severity::warning, link + r.error().what);
    } else if (const auto dir = Dir::open(state)) {
        (void)remove_file(*dir, state_file(state_rdma, row.ifindex));
    }
}

template<class Id> Result<LinkRow> row_of(const Id &name_or_ifindex)
{
    auto rtnl = Rtnl::open();
    return rtnl ? rtnl->link(name_or_ifindex) : rtnl.error();
}

bool belongs(const RdmaFacts &facts, const std::string &device)
{
    return std::any_of(facts.ports.begin(), facts.ports.end(), [&](const auto &p) { return p.device == device; });
}
/// RDMA-CM keeps the values of a device that is renamed; so what was there before them is kept, too.
void follow_name(RdmaMade &made, const RdmaFacts &facts, const std::string &device)
{
    for (const auto &[label, values] : std::map(made.was)) {
        const auto slash = label.find('/');
        const auto old = label.substr(0, slash);
        if (slash == label.npos || std::find(facts.devices.begin(), facts.devices.end(), old) != facts.devices.end())
            continue;
        made.was.erase(label);
        made.was.emplace(device + label.substr(slash), values);
    }
}
} // namespace

bool wants_rdma(const Event &event, const RdmaPaths &paths)
{
    if (event.action != Event::Action::up && event.action != Event::Action::reapply) return false;
    const auto ifindex = static_cast<int>(::if_nametoindex(event.link.c_str()));
    const auto state = Dir::open(paths.handle.probe.state);
    const auto kept = state ? state->exists(state_file(state_rdma, ifindex)) : Result<bool>(false);
    if (kept && *kept) return true;
    const auto profile = read_profile(event.filename);
    return profile && (!profile->rdma.empty() || !profile->rdma_bad.empty());
}

Lines handle_rdma(const Event &event, const RdmaPaths &paths)
{
    Lines lines;
    const auto row = row_of(event.link);
    const auto profile = read_profile(event.filename);
    if (!row || !row->name || !profile || profile->intent.skip) return lines;
    const auto was = read_state(paths.handle.probe.state, state_rdma, row->ifindex);
    auto kept = was ? Kept::parse(*was) : Kept{};
    kept.profile = profile->id;
    kept.words = profile->rdma;
    for (const auto &why : profile->rdma_bad)
        lines.emplace_back(
            Severity::warning,
            text(Finding{
                .code = Finding::Code::rdma_word_bad, .link = *row->name, .profile = profile->id, .detail = why}));
    if (was || !kept.words.empty()) settle(*row, kept, paths, lines);
    return lines;
}

Lines handle_rdma_device(const std::string &device, const RdmaPaths &paths)
{
    Lines lines;
    const auto state = Dir::open(paths.handle.probe.state);
    const auto files = state ? state->list() : Result<std::vector<std::string>>(state.error());
    const auto sysfs = Dir::open(paths.sysfs);
    if (!files || !sysfs) return lines;
    const auto prefix = std::string(state_rdma) + "-";
    for (const auto &file : *files) {
        const auto ifindex =
            file.starts_with(prefix) ? parse_decimal(file.substr(prefix.size()), INT32_MAX) : std::nullopt;
        const auto row = ifindex ? row_of(static_cast<int>(*ifindex)) : Result<LinkRow>(Error{});
        if (ifindex && !row && row.error().kind == Error::Kind::absent) (void)remove_file(*state, file);
        if (!row || !row->name) continue;
        const auto text = read_state(paths.handle.probe.state, state_rdma, row->ifindex);
        const auto facts = text ? read_rdma_facts(*sysfs, *row) : RdmaFacts{.link = *row->name};
        if (!text || !belongs(facts, device)) continue;
        auto kept = Kept::parse(*text);
        follow_name(kept.made, facts, device);
        settle(*row, kept, paths, lines);
    }
    return lines;
}

} // namespace nmib
