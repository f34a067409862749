// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/plan/rdma_forecast.hpp"

#include "apply/rdma/step.hpp"
#include "cli/base/gobject.hpp"
#include "cli/connection/rdma_words.hpp"
#include "cli/daemon/profiles.hpp"
#include "config.h"
#include "probe/plan/state.hpp"
#include "probe/rdma/facts.hpp"

namespace nmib::cli
{

std::optional<RdmaForecast> forecast_rdma(const Daemon &daemon, const std::string &profile)
{
    const auto found = Profiles(daemon).find({}, profile);
    const auto connection = found.empty() ? Result<Object<NMConnection>>(Error{}) : daemon.profile(found.front().path);
    if (!connection) return {};
    RdmaForecast f{.interface = str(nm_connection_get_interface_name(connection->get())),
                   .profile = str(nm_connection_get_id(connection->get())),
                   .uuid = str(nm_connection_get_uuid(connection->get()))};
    const auto read = rdma_words_of(connection->get());
    if (read) f.words = read->words;
    auto bad = read ? read->bad : Words{read.error().what};
    if (f.words.empty() && bad.empty()) return {};
    const auto name = IfName::parse(f.interface);
    const bool is_private = is_private_profile(connection->get());
    if (is_private && !f.words.skip) bad = {std::string(private_profile_refusal)};
    if (name)
        for (auto &why : bad)
            f.plan.findings.push_back(
                {.code = Finding::Code::rdma_word_bad, .link = *name, .profile = f.profile, .detail = std::move(why)});
    auto rtnl = name ? Rtnl::open() : Result<Rtnl>(Error{});
    const auto row = rtnl ? rtnl->link(*name) : Result<LinkRow>(Error{});
    const auto sysfs = Dir::open("/sys"), root = Dir::open("/");
    if (!row || !row->name || !sysfs || !root) return f;
    f.there = true;
    if (f.words.skip) return f;
    auto facts = read_rdma_facts(*sysfs, *row);
    for (auto &port : facts.ports)
        if (port.layer == LinkLayer::roce && port.has_cm)
            if (auto now = read_roce(rdma_cm_folder, port.device, port.port)) port.roce = *now; // root only
    const auto kept = read_state(NMIB_STATE, state_rdma, row->ifindex);
    const auto plan = plan_rdma(
        facts, is_private ? RdmaWords{} : f.words, RdmaMade::parse(kept.value_or("")), f.profile,
        [&](unsigned vf) { return automatic_guid(*root, facts.port_guid.value_or(Guid{}), vf).value_or(Guid{}); });
    f.plan.steps = plan.steps;
    f.plan.findings.insert(f.plan.findings.end(), plan.findings.begin(), plan.findings.end());
    return f;
}

} // namespace nmib::cli
