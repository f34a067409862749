// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/rdma/plan.hpp"

#include "core/message.hpp"
#include "core/number.hpp"

#include <algorithm>

namespace nmib
{

namespace
{
using Code = Finding::Code;
using Severity = Finding::Severity;

struct Planner {
    const RdmaFacts &facts;
    const RdmaWords &words;
    const RdmaMade &made;
    const std::string &profile;
    RdmaPlan plan{};

    void say(Code code, std::string subject, std::string detail, Severity severity = Severity::warning)
    {
        plan.findings.push_back({.code = code,
                                 .link = facts.link,
                                 .severity = severity,
                                 .profile = profile,
                                 .subject = std::move(subject),
                                 .detail = std::move(detail)});
    }

    void roce()
    {
        const bool asked = words.roce_mode || words.roce_tos;
        const std::string word = words.roce_mode ? "rdma.roce-mode" : "rdma.roce-tos";
        if (asked && facts.ports.empty()) say(Code::rdma_device_missing, word, {}, Severity::info);
        for (const auto &port : facts.ports) {
            const auto was = made.was.find(port.label());
            const bool known = was != made.was.end();
            SetRoce step{port.device, port.port, {}, !asked};
            // What the profile does not ask for any more is as it was before us.
            const auto mode = words.roce_mode ? words.roce_mode : known ? was->second.mode : std::nullopt;
            const auto tos = words.roce_tos ? words.roce_tos : known ? was->second.tos : std::nullopt;
            if (!mode && !tos) continue;
            if (asked && !possible(port, word)) continue;
            if (mode && mode != port.roce.mode) step.to.mode = mode;
            if (tos && tos != port.roce.tos) step.to.tos = tos;
            if (step.to.mode || step.to.tos) plan.steps.emplace_back(step);
        }
    }

    bool possible(const RdmaPortNow &port, const std::string &word)
    {
        if (port.layer != LinkLayer::roce) {
            say(Code::rdma_no_roce, word, port.label());
            return false;
        }
        if (!port.has_cm) {
            say(Code::rdma_no_cm, word, port.label());
            return false;
        }
        if (!words.roce_mode || (!port.has_v1 && !port.has_v2)) return true;
        if (*words.roce_mode == RoceMode::v1 ? port.has_v1 : port.has_v2) return true;
        say(Code::rdma_roce_version, "rdma.roce-mode " + std::string(nmib::word(*words.roce_mode)), port.label());
        return false;
    }

    bool is_there(const std::string &device) const
    {
        return std::find(facts.devices.begin(), facts.devices.end(), device) != facts.devices.end();
    }

    bool is_here(const std::string &device) const
    {
        return std::any_of(facts.ports.begin(), facts.ports.end(), [&](const auto &p) { return p.device == device; });
    }

    void soft()
    {
        const auto type = words.soft.value_or(SoftRdma::none);
        const auto name = std::string(word(type)) + "_" + facts.link.str();
        // Ours may have gone, and another interface's may have its name now. siw does not tell its interface.
        // A netdev may have been renamed since; its device stays as it is.
        const bool ours =
            !made.soft.empty() && is_there(made.soft) && (is_here(made.soft) || made.soft.starts_with("siw_"));
        const bool serves = type != SoftRdma::none && made.soft.starts_with(std::string(word(type)) + "_");
        if (ours && !serves) plan.steps.emplace_back(RemoveSoft{made.soft});
        if (type == SoftRdma::none || (ours && serves)) return;
        if (is_here(name)) return; // somebody made just this: it serves as well, and stays theirs
        if (is_there(name)) return say(Code::rdma_name_taken, name, {});
        const AddSoft step{facts.link, type, name};
        plan.steps.emplace_back(step);
    }

    void virtual_functions(const std::function<Guid(unsigned)> &automatic)
    {
        if (!words.vf_guids) return;
        if (facts.vfs.empty()) return say(Code::rdma_no_vf, "rdma.vf-guids", {}, Severity::info);
        for (const auto &[number, guid] : words.vf_guids->of)
            if (std::none_of(facts.vfs.begin(), facts.vfs.end(),
                             [&, n = number](const auto &v) { return v.number == n; }))
                say(Code::rdma_no_vf, "rdma.vf-guids " + std::to_string(number), {});
        for (const auto &vf : facts.vfs) {
            const auto given = words.vf_guids->of.find(vf.number);
            if (!words.vf_guids->automatic && given == words.vf_guids->of.end()) continue;
            const auto guid = words.vf_guids->automatic ? automatic(vf.number) : given->second;
            if (vf.node == guid && vf.port == guid) continue;
            if (vf.in_use) {
                say(Code::rdma_vf_in_use, std::to_string(vf.number), guid.str());
                continue;
            }
            plan.steps.emplace_back(SetVfGuid{facts.ifindex, vf.number, guid, vf.file});
            if (vf.bound) say(Code::rdma_vf_bound, std::to_string(vf.number), guid.str());
        }
    }
};
} // namespace

std::string RdmaMade::str() const
{
    std::string s;
    for (const auto &[label, values] : was)
        s += "was " + label + " " + (values.mode ? std::string(word(*values.mode)) : "-") + " " +
             (values.tos ? std::to_string(*values.tos) : "-") + "\n";
    if (!soft.empty()) s += "soft " + soft + "\n";
    return s;
}

RdmaMade RdmaMade::parse(std::string_view text)
{
    RdmaMade made;
    while (!text.empty()) {
        auto line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), line.size() + 1));
        const auto next = [&] {
            const auto w = line.substr(0, line.find(' '));
            line.remove_prefix(std::min(line.size(), w.size() + 1));
            return std::string(w);
        };
        const auto kind = next();
        if (kind == "soft") made.soft = next();
        if (kind != "was") continue;
        auto &values = made.was[next()];
        const auto mode = next(), tos = next();
        if (mode == "v1" || mode == "v2") values.mode = mode == "v1" ? RoceMode::v1 : RoceMode::v2;
        if (const auto n = parse_decimal(tos, 255)) values.tos = static_cast<unsigned>(*n);
    }
    return made;
}

RdmaPlan plan_rdma(const RdmaFacts &facts, const RdmaWords &words, const RdmaMade &made, const std::string &profile,
                   const std::function<Guid(unsigned)> &automatic)
{
    Planner p{facts, words, made, profile};
    p.soft(); // a device that is made now has its RoCE mode at its own event
    p.roce();
    p.virtual_functions(automatic);
    return std::move(p.plan);
}

std::string text(const RdmaStep &step, Translate translate)
{
    if (const auto *r = std::get_if<SetRoce>(&step)) {
        const auto label = r->device + "/" + std::to_string(r->port);
        std::string s;
        if (r->to.mode)
            s = message(translate, N_("RoCE mode of {port}: {value}"), fmt::arg("port", label),
                        fmt::arg("value", word(*r->to.mode)));
        if (r->to.tos)
            s += (s.empty() ? "" : ", ") + message(translate, N_("type of service of {port}: {value}"),
                                                   fmt::arg("port", label), fmt::arg("value", *r->to.tos));
        return s;
    }
    if (const auto *a = std::get_if<AddSoft>(&step))
        return message(translate, N_("RDMA device {name} made on {link}"), fmt::arg("name", a->name),
                       fmt::arg("link", a->link.view()));
    if (const auto *d = std::get_if<RemoveSoft>(&step))
        return message(translate, N_("RDMA device {name} removed"), fmt::arg("name", d->name));
    const auto &v = std::get<SetVfGuid>(step);
    return message(translate, N_("GUID of virtual function {vf}: {guid}"), fmt::arg("vf", v.vf),
                   fmt::arg("guid", v.guid.str()));
}

} // namespace nmib
