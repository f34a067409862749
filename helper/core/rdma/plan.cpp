// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/rdma/plan.hpp"

#include "core/base/message.hpp"
#include "core/base/text.hpp"

#include <algorithm>

namespace nmib
{

namespace
{
struct Planner {
    const RdmaFacts &facts;
    const RdmaWords &words;
    const RdmaMade &made;
    const std::string &profile;
    RdmaPlan plan{};

    void say(const Kind *kind, std::vector<Message::Value> values, Severity severity = Severity::warning)
    {
        values.emplace_back("profile", profile);
        plan.findings.push_back({.kind = kind, .link = facts.link, .severity = severity, .values = std::move(values)});
    }

    void roce()
    {
        const bool asked = words.roce_mode || words.roce_tos;
        const std::string word = words.roce_mode ? "rdma.roce-mode" : "rdma.roce-tos";
        if (asked && facts.ports.empty()) say(find_kind("rdma-device-missing"), {{"word", word}}, Severity::note);
        for (const auto &port : facts.ports) {
            const auto was = made.was.find(port.label());
            const auto before = was == made.was.end() ? RoceValues{} : was->second;
            SetRoce step{port.device, port.port, {}, !asked};
            // Without a word, the value returns to another profile's, or to the value before nm-infiniband.
            const auto mode = words.roce_mode                   ? words.roce_mode
                              : before.mode && port.others.mode ? port.others.mode
                                                                : before.mode;
            const auto tos = words.roce_tos                  ? words.roce_tos
                             : before.tos && port.others.tos ? port.others.tos
                                                             : before.tos;
            if (!mode && !tos) continue;
            if (asked && !possible(port, word)) continue;
            if (mode && mode != port.roce.mode) step.to.mode = mode;
            if (tos && tos != port.roce.tos) step.to.tos = tos;
            if (step.to.mode || step.to.tos) plan.steps.emplace_back(step);
            if ((words.roce_mode && port.others.mode && port.others.mode != mode) ||
                (words.roce_tos && port.others.tos && port.others.tos != tos))
                say(find_kind("rdma-contended"), {{"port", port.label()}, {"other", port.other}});
        }
        for (const auto &[label, values] : made.was) {
            const auto port = parse_label(label);
            if (!port || facts.has_port(label) || !facts.has_device(port->first) || values.empty()) continue;
            plan.steps.emplace_back(SetRoce{port->first, port->second, values, true}); // the port has left the bond
        }
    }

    bool possible(const RdmaPortNow &port, const std::string &word)
    {
        if (port.layer != LinkLayer::roce) {
            say(find_kind("rdma-no-roce"), {{"word", word}, {"port", port.label()}});
            return false;
        }
        if (!port.has_cm) {
            say(find_kind("rdma-no-cm"), {{"word", word}, {"port", port.label()}});
            return false;
        }
        if (!words.roce_mode || (!port.has_v1 && !port.has_v2)) return true;
        if (*words.roce_mode == RoceMode::v1 ? port.has_v1 : port.has_v2) return true;
        say(find_kind("rdma-roce-version"),
            {{"word", "rdma.roce-mode " + std::string(nmib::word(*words.roce_mode))}, {"port", port.label()}});
        return false;
    }

    void soft()
    {
        const auto type = words.soft.value_or(SoftRdma::none);
        const auto name = std::string(word(type)) + "_" + facts.link.str();
        // The device in `made` may be gone, and another interface may have its name now. siw does not export its
        // interface. If the interface was renamed, its device keeps the old name.
        const bool ours = !made.soft.empty() && facts.has_device(made.soft) &&
                          (facts.has_port_of(made.soft) || made.soft.starts_with("siw_"));
        const bool serves = type != SoftRdma::none && made.soft.starts_with(std::string(word(type)) + "_");
        if (ours && !serves) plan.steps.emplace_back(RemoveSoft{made.soft});
        if (type == SoftRdma::none || (ours && serves)) return;
        if (facts.has_port_of(name)) return; // another program made the same device; use it, and do not remove it
        if (facts.has_device(name)) return say(find_kind("rdma-name-taken"), {{"device", name}});
        const AddSoft step{facts.link, type, name};
        plan.steps.emplace_back(step);
    }

    void virtual_functions(const std::function<Guid(unsigned)> &automatic)
    {
        if (words.vf_guids && facts.vfs.empty())
            return say(find_kind("rdma-no-vf"), {{"word", std::string("rdma.vf-guids")}}, Severity::note);
        if (words.vf_guids)
            for (const auto &[number, guid] : words.vf_guids->of)
                if (std::none_of(facts.vfs.begin(), facts.vfs.end(),
                                 [&, n = number](const auto &v) { return v.number == n; }))
                    say(find_kind("rdma-no-vf"), {{"word", "rdma.vf-guids " + std::to_string(number)}});
        for (const auto &vf : facts.vfs) {
            SetVfGuid step{facts.ifindex, vf.number, {}, vf.file};
            if (const auto guid = asked(vf.number, automatic)) {
                step.to = {*guid, *guid};
            } else if (const auto was = made.vfs.find(vf.number); was != made.vfs.end()) {
                step.to = was->second;
                step.back = true;
            } else {
                continue;
            }
            const bool set = vf.node == step.to.node && vf.port == step.to.port;
            // A port without a GUID cannot be in use (mlx5: its link is down). All functions would seem to be in use
            // otherwise, because NetworkManager brings up the interface of each new function.
            const bool unborn = vf.bound && vf.file.empty() && vf.port && vf.port->value == 0;
            if (!set && vf.in_use && !unborn) {
                say(find_kind("rdma-vf-in-use"), {{"vf", std::to_string(vf.number)}, {"guid", step.to.port.str()}});
                continue;
            }
            if (!set) plan.steps.emplace_back(step);
            if (vf.bound && (vf.read ? *vf.read != step.to.node : !set))
                say(find_kind("rdma-vf-bound"), {{"vf", std::to_string(vf.number)}, {"guid", step.to.port.str()}});
        }
    }

    std::optional<Guid> asked(unsigned vf, const std::function<Guid(unsigned)> &automatic) const
    {
        if (!words.vf_guids) return std::nullopt;
        if (words.vf_guids->automatic) return automatic(vf);
        const auto given = words.vf_guids->of.find(vf);
        return given == words.vf_guids->of.end() ? std::nullopt : std::optional(given->second);
    }
};
} // namespace

bool RdmaFacts::has_device(const std::string &device) const
{
    return std::find(devices.begin(), devices.end(), device) != devices.end();
}

bool RdmaFacts::has_port(const std::string &label) const
{
    return std::any_of(ports.begin(), ports.end(), [&](const auto &p) { return p.label() == label; });
}

bool RdmaFacts::has_port_of(const std::string &device) const
{
    return std::any_of(ports.begin(), ports.end(), [&](const auto &p) { return p.device == device; });
}

std::optional<std::pair<std::string, unsigned>> parse_label(const std::string &label)
{
    const auto slash = label.rfind('/');
    const auto number = slash == label.npos ? std::nullopt : parse_decimal(label.substr(slash + 1), 254);
    if (!number) return std::nullopt;
    return std::pair(label.substr(0, slash), static_cast<unsigned>(*number));
}

std::string RdmaMade::str() const
{
    std::string s;
    for (const auto &[label, values] : was)
        s += "was " + label + " " + (values.mode ? std::string(word(*values.mode)) : "-") + " " +
             (values.tos ? std::to_string(*values.tos) : "-") + "\n";
    for (const auto &[number, guid] : vfs)
        s += "vf " + std::to_string(number) + " " + guid.node.str() + " " + guid.port.str() + "\n";
    if (!soft.empty()) s += "soft " + soft + "\n";
    for (const auto &device : folders) s += "folder " + device + "\n";
    return s;
}

RdmaMade RdmaMade::parse(std::string_view text)
{
    RdmaMade made;
    while (!text.empty()) {
        auto line = take(text);
        const auto next = [&] { return std::string(take(line, ' ')); };
        const auto kind = next();
        if (kind == "soft") made.soft = next();
        if (kind == "folder") made.folders.insert(next());
        if (kind == "vf") {
            const auto number = parse_decimal(next(), UINT16_MAX);
            const auto node = Guid::parse(next()), port = Guid::parse(next());
            if (number && node && port) made.vfs[static_cast<unsigned>(*number)] = {*node, *port};
        }
        if (kind != "was") continue;
        auto &values = made.was[next()];
        const auto mode = next(), tos = next();
        if (mode == "v1" || mode == "v2") values.mode = mode == "v1" ? RoceMode::v1 : RoceMode::v2;
        if (const auto n = parse_decimal(tos, 255)) values.tos = static_cast<unsigned>(*n);
    }
    return made;
}

RdmaMade made_before_steps(const RdmaFacts &facts, const RdmaWords &words, const RdmaPlan &plan, RdmaMade made)
{
    for (const auto &port : facts.ports) {
        if (port.roce.empty() || (!words.roce_mode && !words.roce_tos)) continue;
        auto &was = made.was[port.label()];
        if (words.roce_mode && !was.mode) was.mode = port.first.mode ? port.first.mode : port.roce.mode;
        if (words.roce_tos && !was.tos) was.tos = port.first.tos ? port.first.tos : port.roce.tos;
    }
    for (const auto &step : plan.steps) {
        if (const auto *add = std::get_if<AddSoft>(&step)) made.soft = add->name;
        const auto *guid = std::get_if<SetVfGuid>(&step);
        if (!guid || guid->back) continue;
        for (const auto &vf : facts.vfs)
            if (vf.number == guid->vf)
                made.vfs.try_emplace(vf.number, VfGuid{vf.node.value_or(Guid{}), vf.port.value_or(Guid{})});
    }
    return made;
}

RdmaMade made_after_steps(const RdmaFacts &facts, const RdmaWords &words, RdmaMade made)
{
    for (auto &[label, values] : made.was) {
        if (!words.roce_mode) values.mode.reset();
        if (!words.roce_tos) values.tos.reset();
    }
    std::erase_if(made.was, [&](const auto &entry) {
        const auto port = parse_label(entry.first);
        return entry.second.empty() || (port && facts.has_device(port->first) && !facts.has_port(entry.first));
    });
    std::erase_if(made.vfs, [&](const auto &entry) {
        const auto vf =
            std::find_if(facts.vfs.begin(), facts.vfs.end(), [&](const auto &v) { return v.number == entry.first; });
        const bool asked = words.vf_guids && (words.vf_guids->automatic || words.vf_guids->of.contains(entry.first));
        return !asked && vf != facts.vfs.end() && vf->node == entry.second.node && vf->port == entry.second.port;
    });
    return made;
}

RdmaPlan plan_rdma(const RdmaFacts &facts, const RdmaWords &words, const RdmaMade &made, const std::string &profile,
                   const std::function<Guid(unsigned)> &automatic)
{
    Planner p{facts, words, made, profile};
    p.soft(); // a new device gets its RoCE mode at its own event
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
                   fmt::arg("guid", v.to.port.str()));
}

} // namespace nmib
