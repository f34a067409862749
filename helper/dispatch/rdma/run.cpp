// SPDX-License-Identifier: LGPL-2.1-or-later
#include "dispatch/rdma/run.hpp"

#include "apply/base/file.hpp"
#include "apply/plan/apply.hpp"
#include "core/base/text.hpp"
#include "probe/plan/state.hpp"
#include "probe/rdma/facts.hpp"

namespace nmib
{

namespace
{

Result<void> carry_out(const RdmaStep &step, const Dir &sysfs, const RdmaPaths &paths, RdmaMade &made)
{
    if (const auto *roce = std::get_if<SetRoce>(&step)) {
        auto r = set_roce(paths.configfs, *roce);
        // The device is gone, and the value with it.
        return !r && roce->back && r.error().kind == Error::Kind::absent ? Result<void>() : r;
    }
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
} // namespace

void WordsRun::apply(const Dir &sysfs, const std::function<RdmaFacts()> &read)
{
    for (const auto &device : kept_.made.folders) remove_folder(paths_.configfs, device); // left by a killed helper
    kept_.made.folders.clear();
    auto facts = look(read());
    if (!facts.has_device(kept_.made.soft))
        kept_.made.soft.clear(); // gone with its module or by hand; a device of that name is another program's
    const auto plan =
        plan_rdma(facts, kept_.words, kept_.made, kept_.profile, [&](unsigned vf) { return automatic(facts, vf); });
    kept_.made = made_before_steps(facts, kept_.words, plan, kept_.made);
    bool done = true;
    for (const auto &step : plan.steps) {
        auto r = remember(); // without this record, a later run could not undo the step
        if (r) r = carry_out(step, sysfs, paths_, kept_.made);
        done &= static_cast<bool>(r);
        if (!r)
            say(Severity::error, printable(r.error().what));
        else
            say(Severity::note, text(step) + " (profile '" + printable(kept_.profile) + "')");
    }
    for (const auto &finding : plan.findings) lines_.emplace_back(finding.severity, text(finding));
    if (done) kept_.made = made_after_steps(plan.steps.empty() ? facts : read(), kept_.words, kept_.made);
    kept_.made.folders.clear();
    keep();
}

RdmaFacts WordsRun::look(RdmaFacts facts)
{
    mark_other_profiles(all_, ifindex_, facts.ports);
    std::vector<RdmaPortNow *> asked;
    for (auto &port : facts.ports) {
        if (!kept_.words.roce_mode && !kept_.words.roce_tos && !kept_.made.was.contains(port.label())) continue;
        if (!port.has_cm || port.layer != LinkLayer::roce) continue;
        asked.push_back(&port);
        if (!has_folder(paths_.configfs, port.device)) kept_.made.folders.insert(port.device);
    }
    if (!kept_.made.folders.empty()) (void)remember();
    for (auto *port : asked)
        if (auto now = read_roce(paths_.configfs, port->device, port->port)) port->roce = *now;
    return facts;
}

Guid WordsRun::automatic(const RdmaFacts &facts, unsigned vf)
{
    const auto root = Dir::open(paths_.root);
    const auto guid = root ? automatic_guid(*root, facts.port_guid.value_or(Guid{}), vf) : std::nullopt;
    if (guid) return *guid;
    if (!reported_) say(Severity::error, "/etc/machine-id cannot be read, skipping automatic GUIDs");
    reported_ = true;
    return {};
}

void WordsRun::say(Severity severity, const std::string &what)
{
    lines_.emplace_back(severity, kept_.link + ": " + what);
}

Result<void> WordsRun::remember() const
{
    return keep_state(paths_.handle.probe.state, state_rdma, ifindex_, kept_.str());
}

void WordsRun::keep()
{
    if (!kept_.empty()) {
        if (auto r = remember(); !r) say(Severity::warning, r.error().what);
    } else if (const auto dir = Dir::open(paths_.handle.probe.state)) {
        (void)remove_file(*dir, state_file(state_rdma, ifindex_));
    }
}

} // namespace nmib
