// SPDX-License-Identifier: LGPL-2.1-or-later
#include "dispatch/rdma/handle.hpp"

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

namespace
{

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
    if (profile->is_private) read->words = {}, read->bad = {private_profile_refusal()};
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
            lines.emplace_back(Severity::warning, text(Finding{.kind = find_kind("rdma-word-bad"),
                                                               .link = *row->name,
                                                               .values = {{"profile", event.id}, {"refusal", why}}}));
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
