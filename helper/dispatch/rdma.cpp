// SPDX-License-Identifier: LGPL-2.1-or-later
#include "dispatch/rdma.hpp"

#include "apply/base/file.hpp"
#include "apply/plan/apply.hpp"
#include "apply/rdma/words.hpp"
#include "core/base/text.hpp"
#include "probe/plan/profile.hpp"
#include "probe/plan/state.hpp"
#include "probe/rdma/facts.hpp"

#include <algorithm>

namespace nmib
{

std::string RdmaKept::str() const
{
    return "link " + printable(link) + "\nprofile " + printable(profile) + "\n" + text(words) + made.str();
}

RdmaKept RdmaKept::parse(std::string_view text)
{
    RdmaKept kept{.words = parse_rdma_words(text).words, .made = RdmaMade::parse(text)};
    while (!text.empty()) {
        const auto line = take(text);
        if (line.starts_with("profile ")) kept.profile = line.substr(8);
        if (line.starts_with("link ")) kept.link = line.substr(5);
    }
    return kept;
}

std::vector<int> all_rdma_numbers(const std::string &state)
{
    std::vector<int> all;
    const auto prefix = std::string(state_rdma) + "-";
    for (const auto &file : names_in(state))
        if (const auto n =
                file.starts_with(prefix) ? parse_decimal(file.substr(prefix.size()), INT32_MAX) : std::nullopt)
            all.push_back(static_cast<int>(*n));
    return all;
}

std::map<int, RdmaKept> all_rdma_kept(const std::string &state)
{
    std::map<int, RdmaKept> all;
    for (const auto number : all_rdma_numbers(state))
        if (const auto text = read_state(state, state_rdma, number)) all.emplace(number, RdmaKept::parse(*text));
    return all;
}

void mark_other_profiles(const std::map<int, RdmaKept> &all, int ifindex, std::vector<RdmaPortNow> &ports)
{
    for (const auto &[number, kept] : all) {
        if (number == ifindex) continue;
        for (auto &port : ports) {
            const auto was = kept.made.was.find(port.label());
            if (was == kept.made.was.end()) continue;
            if (was->second.mode) port.first.mode = was->second.mode;
            if (was->second.tos) port.first.tos = was->second.tos;
            if (kept.words.roce_mode) port.others.mode = kept.words.roce_mode;
            if (kept.words.roce_tos) port.others.tos = kept.words.roce_tos;
            if (!port.others.empty()) port.other = kept.profile;
        }
    }
}

namespace
{
using Severity = Finding::Severity;
using AllKept = std::map<int, RdmaKept>;

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

/// Applies the words of one interface, and keeps the words and the previous values.
class WordsRun
{
public:
    WordsRun(int ifindex, RdmaKept &kept, const AllKept &all, const RdmaPaths &paths, Lines &lines) :
        ifindex_(ifindex), kept_(kept), all_(all), paths_(paths), lines_(lines)
    {
    }

    void apply(const Dir &sysfs, const std::function<RdmaFacts()> &read)
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

private:
    /// Adds the values of RDMA-CM if the words or the previous values need them.
    RdmaFacts look(RdmaFacts facts)
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

    Guid automatic(const RdmaFacts &facts, unsigned vf)
    {
        const auto root = Dir::open(paths_.root);
        const auto guid = root ? automatic_guid(*root, facts.port_guid.value_or(Guid{}), vf) : std::nullopt;
        if (guid) return *guid;
        if (!reported_) say(Severity::error, "/etc/machine-id cannot be read, skipping automatic GUIDs");
        reported_ = true;
        return {};
    }

    void say(Severity severity, const std::string &what) { lines_.emplace_back(severity, kept_.link + ": " + what); }
    Result<void> remember() const { return keep_state(paths_.handle.probe.state, state_rdma, ifindex_, kept_.str()); }
    void keep()
    {
        if (!kept_.empty()) {
            if (auto r = remember(); !r) say(Severity::warning, r.error().what);
        } else if (const auto dir = Dir::open(paths_.handle.probe.state)) {
            (void)remove_file(*dir, state_file(state_rdma, ifindex_));
        }
    }

    int ifindex_;
    RdmaKept &kept_;
    const AllKept &all_;
    const RdmaPaths &paths_;
    Lines &lines_;
    bool reported_ = false;
};

template<class Id> Result<LinkRow> row_of(const Id &name_or_ifindex)
{
    auto rtnl = Rtnl::open();
    return rtnl ? rtnl->link(name_or_ifindex) : rtnl.error();
}

/// Returns the row of an interface that exists; a read error becomes a line.
template<class Id> std::optional<LinkRow> named_row(const Id &name_or_ifindex, Lines &lines)
{
    auto row = row_of(name_or_ifindex);
    if (is_unread(row, lines) || !row || !row->name) return std::nullopt;
    return std::move(*row);
}

void apply_rdma_words(const Dir &sysfs, const LinkRow &row, RdmaKept kept, const AllKept &all, const RdmaPaths &paths,
                      Lines &lines)
{
    kept.link = row.name->str();
    WordsRun(row.ifindex, kept, all, paths, lines).apply(sysfs, [&] { return read_rdma_facts(sysfs, row); });
}

/// Does not use if_indextoname(3), because nm-ib-rdma@.service forbids its kind of socket.
bool is_gone(int ifindex)
{
    const auto row = row_of(ifindex);
    return !row && row.error().kind == Error::Kind::absent;
}

/// Restores the devices below a VLAN or a bond, which NetworkManager removes at `down`.
void give_back(const Dir &sysfs, int ifindex, RdmaKept kept, const AllKept &all, const RdmaPaths &paths, Lines &lines)
{
    const auto link = IfName::parse(kept.link);
    if (!link) return;
    kept.words = {};
    const auto soft = std::exchange(kept.made.soft, {}); // removed with the interface, or stays at down
    WordsRun(ifindex, kept, all, paths, lines).apply(sysfs, [&] {
        RdmaFacts facts{.link = *link, .ifindex = ifindex};
        facts.devices = sysfs.names("class/infiniband");
        for (const auto &[label, values] : kept.made.was) {
            const auto port = parse_label(label);
            if (port && facts.has_device(port->first))
                facts.ports.push_back({.device = port->first, .port = port->second});
        }
        return facts;
    });
    if (soft.empty() || is_gone(ifindex)) return;
    kept.made.soft = soft;
    (void)keep_state(paths.handle.probe.state, state_rdma, ifindex, kept.str());
}

int number_in(const Dir &sysfs, const std::string &file)
{
    return static_cast<int>(sysfs.decimal(file, INT32_MAX).value_or(0));
}

/// Restores the values of interfaces that are gone.
void sweep(const Dir &sysfs, const RdmaPaths &paths, Lines &lines)
{
    const auto all = all_rdma_kept(paths.handle.probe.state);
    for (const auto &[ifindex, kept] : all) {
        if (!is_gone(ifindex)) continue;
        auto rest = kept;
        rest.made.vfs.clear(); // the card is gone
        give_back(sysfs, ifindex, rest, all_rdma_kept(paths.handle.probe.state), paths, lines);
    }
}

/// Returns the number of the bond, bridge or team that the interface is a port of; 0 if there is none.
int controller_of(const Dir &sysfs, const IfName &link)
{
    return number_in(sysfs, "class/net/" + link.str() + "/master/ifindex");
}

/// Also checks the type: before `down`, NetworkManager may have removed the ports of a bond.
bool lies_on_others(const Dir &sysfs, const IfName &link)
{
    const auto text = sysfs.read("class/net/" + link.str() + "/uevent");
    const auto has = [&](const char *type) { return text && text->find(type) != text->npos; };
    return has("DEVTYPE=vlan") || has("DEVTYPE=bond") || has("DEVTYPE=bridge") ||
           !interfaces_below(sysfs, link).empty();
}

/// Reads the words of the event's profile that may be applied.
Result<RdmaWordsRead> words_of(const Event &event, const RdmaPaths &paths)
{
    auto read = read_rdma_words(paths.handle.words, event.uuid);
    if (!read || read->words.empty() || read->words.skip) return read;
    const auto profile = read_profile(event.filename);
    if (!profile) return profile.error();
    if (profile->is_private) read->words = {}, read->bad = {std::string(private_profile_refusal)};
    return read;
}

/// RDMA-CM keeps the values of a renamed device, so the previous values get the new name.
void follow_name(RdmaMade &made, const RdmaFacts &facts, const std::string &device)
{
    for (const auto &[label, values] : std::map(made.was)) {
        const auto old = parse_label(label);
        if (!old || facts.has_device(old->first)) continue;
        const auto now = device + "/" + std::to_string(old->second);
        if (made.was.contains(now) || !facts.has_port(now)) continue;
        made.was.erase(label);
        made.was.emplace(now, values);
    }
}
} // namespace

bool wants_rdma(const Event &event, const RdmaPaths &paths)
{
    if (event.action == Event::Action::pre_up) return false;
    const auto numbers = all_rdma_numbers(paths.handle.probe.state);
    if (const auto sysfs = Dir::open(paths.sysfs); sysfs && !numbers.empty()) {
        const auto ifindex = number_in(*sysfs, "class/net/" + event.link.str() + "/ifindex");
        const auto controller = controller_of(*sysfs, event.link);
        if (std::any_of(numbers.begin(), numbers.end(),
                        [&](int n) { return n == ifindex || n == controller || is_gone(n); }))
            return true;
    }
    if (event.action == Event::Action::down) return false;
    const auto read = read_rdma_words(paths.handle.words, event.uuid);
    return !read || !read->words.empty() || !read->bad.empty();
}

namespace
{
/// Applies the words of the event's profile, or restores the previous values at `down`.
void apply_event(const Event &event, const Dir &sysfs, const AllKept &all, const RdmaPaths &paths, Lines &lines)
{
    const auto row = named_row(event.link, lines);
    if (!row) return;
    const auto was = all.find(row->ifindex);
    auto kept = was == all.end() ? RdmaKept{} : was->second;
    if (event.action == Event::Action::down) {
        if (was != all.end() && lies_on_others(sysfs, *row->name)) {
            kept.link = row->name->str();
            give_back(sysfs, row->ifindex, kept, all, paths, lines);
        }
        return;
    }
    const auto read = words_of(event, paths);
    if (!read)
        lines.emplace_back(Severity::error, event.link.str() + ": rdma.* words of profile '" + printable(event.id) +
                                                "' cannot be read, ignoring: " + printable(read.error().what));
    if (read && !read->words.skip) {
        kept.profile = event.id;
        kept.words = read->words;
        for (const auto &why : read->bad)
            lines.emplace_back(
                Severity::warning,
                text(Finding{
                    .code = Finding::Code::rdma_word_bad, .link = *row->name, .profile = event.id, .detail = why}));
        if (was != all.end() || !kept.words.empty()) apply_rdma_words(sysfs, *row, kept, all, paths, lines);
    }
    // A port that joins a bond may bring a device to which the bond's words apply.
    const auto controller = controller_of(sysfs, *row->name);
    const auto its = all.find(controller);
    const auto its_row = its == all.end() ? std::nullopt : named_row(controller, lines);
    if (its_row) apply_rdma_words(sysfs, *its_row, its->second, all, paths, lines);
}

/// Under the lock: restores the values of gone interfaces, then calls `apply`. Returns the lines of both.
template<class Apply> Lines run_locked(const RdmaPaths &paths, const Apply &apply)
{
    Lines lines;
    const auto sysfs = Dir::open(paths.sysfs);
    if (!sysfs) return lines;
    // If `up` makes a device, the process for the device's event waits here.
    const FileLock lock(paths.handle.probe.state, "rdma.lock");
    sweep(*sysfs, paths, lines);
    apply(*sysfs, all_rdma_kept(paths.handle.probe.state), lines);
    return lines;
}
} // namespace

Lines handle_rdma(const Event &event, const RdmaPaths &paths)
{
    return run_locked(paths, [&](const Dir &sysfs, const AllKept &all, Lines &lines) {
        apply_event(event, sysfs, all, paths, lines);
    });
}

Lines handle_rdma_device(const std::string &device, const RdmaPaths &paths)
{
    return run_locked(paths, [&](const Dir &sysfs, const AllKept &all, Lines &lines) {
        for (const auto &[ifindex, was] : all) {
            const auto row = named_row(ifindex, lines);
            if (!row) continue;
            const auto facts = read_rdma_facts(sysfs, *row);
            if (!facts.has_port_of(device)) continue;
            auto kept = was;
            follow_name(kept.made, facts, device);
            apply_rdma_words(sysfs, *row, kept, all, paths, lines);
        }
    });
}

} // namespace nmib
