// SPDX-License-Identifier: LGPL-2.1-or-later
#include "verbs/name/rdma.hpp"

#include "core/base/text.hpp"
#include "probe/base/dir.hpp"
#include "terminal/json.hpp"
#include "terminal/process.hpp"
#include "terminal/table.hpp"
#include "verbs/name/report.hpp"
#include "verbs/name/set.hpp"

#include <algorithm>

namespace nmib::cli
{

namespace
{
Result<DeviceName> device_name(const NamingWorld &world, const RdmaNode &node, const std::string &wanted,
                               const NameRequest &request)
{
    const auto device = printable(node.name);
    if (!world.has_rdma_rename)
        return bad(form("--rdma: {} is missing, and the udev rule needs this program. Install rdma-core", rdma_rename));
    if (const auto fault = rdma_name_fault(wanted, translate); !fault.empty()) return bad(fault);
    const auto is_alike = [&](const RdmaNode &d) { return d.guid == node.guid; };
    if (node.guid.value == 0 || std::count_if(world.devices.begin(), world.devices.end(), is_alike) > 1)
        return bad(form("{} has no node GUID of its own ({}), and cannot keep a name", device, node.guid.str()));

    const auto name = *PortName::parse(wanted);
    NameFiles files{.write = rdma_rule_file(name), .text = rdma_rule_text(name, node.guid)};
    files.directory = rules_directory;
    Words objections;
    const auto is_wanted = [&](const RdmaNode &d) { return d.name == wanted && &d != &node; };
    if (world.other_devices.contains(wanted) || std::any_of(world.devices.begin(), world.devices.end(), is_wanted))
        objections.push_back(form("RDMA device {} already exists. Use another name for {}", wanted, device));
    for (const auto &where : world.earlier_renames)
        objections.push_back(form("{} may rename {} first. Remove that line", printable(where), device));
    if (!objections.empty() && !request.force) return bad(form("{}; --force overrides this", objections.front()));
    files.warnings = std::move(objections);

    for (const auto &rule : world.rdma_rules) {
        const bool has_name = rule.name == name;
        if (has_name && rule.node && *rule.node != node.guid)
            return bad(form("{} gives {} to another RDMA device\n"
                            "To remove this name first:\n"
                            "  nm-ib name unset {} --rdma",
                            printable(rule.path), wanted, wanted));
        if (!has_name && rule.node != node.guid) continue;
        if (has_name && rule.text == files.text) {
            files.write.clear();
            files.text.clear();
            continue;
        }
        const auto old = removal_of(rule, request);
        if (!old) return old.error();
        files.edited.insert(files.edited.end(), old->edited.begin(), old->edited.end());
        if (!has_name) files.remove.push_back(rule.file);
    }
    return DeviceName{&node, wanted, std::move(files)};
}

std::string path_of(const DeviceName &plan)
{
    return std::string(rules_directory) + "/" + rdma_rule_file(*PortName::parse(plan.name));
}

/// rdma_rename does not read the kernel's answer.
bool is_called(const RdmaNode &node, const std::string &name)
{
    const auto device = Dir::open("/sys/class/infiniband/" + name);
    return device && Guid::parse(device->line("node_guid")) == node.guid;
}
} // namespace

Result<DeviceName> device_name(const NamingWorld &world, const PortIdentity &port, const NameRequest &request)
{
    const auto node =
        std::find_if(world.devices.begin(), world.devices.end(), [&](const RdmaNode &d) { return d.name == port.hca; });
    if (node == world.devices.end()) return bad(form("--rdma: {} has no RDMA device on this machine", label(port)));
    if (request.rdma->empty() && node->ports > 1)
        return bad(form("--rdma: {} has {} ports; write a name for the RDMA device: --rdma NAME", printable(node->name),
                        node->ports));
    return device_name(world, *node, request.rdma->empty() ? request.words[1] : *request.rdma, request);
}

Status name_device(const DeviceName &plan, const NameRequest &request, Json &report)
{
    const auto device = printable(plan.node->name);
    const bool had_it = plan.node->name == plan.name, renames = request.now && !request.dry_run && !had_it;
    const auto run =
        renames ? run_program({rdma_rename, plan.node->name, "NAME_FIXED", plan.name}) : Result<void>(Error{});
    const bool in_effect = had_it || (run && is_called(*plan.node, plan.name));
    report["rdma"] = {{"hca", plan.node->name}, {"node_guid", plan.node->guid.str()},
                      {"name", plan.name},      {"changed", plan.files.changes() || (in_effect && !had_it)},
                      {"file", path_of(plan)},  {"in_effect", in_effect}};
    if (request.dry_run) report["rdma"]["text"] = plan.files.text;
    if (renames && !in_effect)
        return failed(
            form("RDMA device {} cannot be renamed to {} now: {}\n"
                 "The device gets the name at the next boot.",
                 device, plan.name,
                 run ? _("rdma_rename reported no error, and the name did not change") : printable(run.error().what)));
    if (request.json) return {};
    if (request.dry_run)
        print(plan.files.changes() ? plan.files.text : form("{}: nothing to change\n", device));
    else if (!in_effect)
        print(form("RDMA device {} will be called {} at the next boot.\n", device, plan.name));
    else if (had_it)
        print(form("RDMA device {} keeps its name.\n", plan.name));
    else
        print(form("RDMA device {} is called {} now.\n", device, plan.name));
    return {};
}

namespace
{
const RdmaRule *find_rule(const NamingWorld &world, const std::string &word)
{
    const auto &rules = world.rdma_rules;
    const auto named = std::find_if(rules.begin(), rules.end(), [&](const auto &r) { return r.name.view() == word; });
    if (named != rules.end()) return &*named;
    const auto port = find_port(world, word);
    const auto hca = port ? (*port)->hca : word;
    for (const auto &node : world.devices)
        for (const auto &rule : rules)
            if (node.name == hca && rule.node == node.guid) return &rule;
    return nullptr;
}
} // namespace

Status unset_device_name(const NamingWorld &world, const NameRequest &request)
{
    const auto &word = request.words[0];
    const auto *rule = find_rule(world, word);
    auto report = json_object();
    report.update({{"changed", rule != nullptr}, {"file", rule ? Json(rule->path) : Json()}});
    if (!rule && !PortName::parse(word) && !find_port(world, word)) return refusal_of(find_port(world, word).error());
    if (rule) {
        const auto files = removal_of(*rule, request);
        if (!files) return refusal_of(files.error());
        if (!request.dry_run) {
            if (auto done = refuse_unless_root(); !done) return done;
            if (const auto done = write_names(*files); !done) return failed(done.error().what);
        }
    }
    if (request.json)
        print_json(report);
    else if (!rule) // no error: a second run changes nothing
        note(form("{}: no name from nm-ib, nothing to remove", printable(word)));
    else
        print(request.dry_run ? form("{} would be removed.\n", printable(rule->path))
                              : form("{} is removed; from the next boot on, the system names the RDMA device.\n",
                                     printable(rule->path)));
    return {};
}

namespace
{
/// The name of the device's only port, or the HCA's family, "_hca" and a number.
Result<DeviceName> propose(const NamingWorld &world, const RdmaNode &node, Words &taken, const NameRequest &request)
{
    const auto port =
        std::find_if(world.ports.begin(), world.ports.end(), [&](const PortIdentity &p) { return p.hca == node.name; });
    const auto *own = node.ports == 1 ? world.own_file(*port) : nullptr;
    Words candidates;
    if (own) candidates.push_back(name_in(own->file)->str());
    const auto family = hca_family(*port);
    for (int number = 0; number < 1000; number++) candidates.push_back(family + "_hca" + std::to_string(number));
    Result<DeviceName> plan = bad(form("{}: no free name found", printable(node.name)));
    for (const auto &name : candidates) {
        if (std::find(taken.begin(), taken.end(), name) != taken.end()) continue;
        plan = device_name(world, node, name, request);
        if (!plan) continue;
        taken.push_back(name);
        break;
    }
    return plan;
}
} // namespace

Status propose_device_names(const NamingWorld &world, const NameRequest &request)
{
    Words taken;
    std::vector<std::pair<const RdmaNode *, Result<DeviceName>>> all;
    for (const auto &node : world.devices) {
        const auto is_its = [&](const RdmaRule &rule) { return rule.node == node.guid; };
        if (std::none_of(world.rdma_rules.begin(), world.rdma_rules.end(), is_its))
            all.emplace_back(&node, propose(world, node, taken, request));
    }
    Rows rows{.titles = {"HCA", "NODE_GUID", "PROPOSED", "NOTE"}};
    for (const auto &[node, plan] : all)
        rows.rows.push_back(
            {printable(node->name), node->guid.str(), plan ? plan->name : "", plan ? "" : plan.error().what});
    if (!request.json)
        print(world.devices.empty() ? std::string(_("No RDMA device found.")) + "\n"
              : all.empty()         ? std::string(_("Every RDMA device has a name from nm-ib.")) + "\n"
                                    : *table({}, rows));
    const bool possible = !taken.empty();
    const auto write = writes(request, possible, _("Write these files?"));
    if (!write) return write.error();
    Status done;
    auto report = json_object();
    report.update({{"changed", possible && (*write || request.dry_run)}, {"names", Json::array()}});
    for (const auto &[node, plan] : all) {
        Json one = {{"hca", node->name}, {"node_guid", node->guid.str()}, {"name", plan ? Json(plan->name) : Json()}};
        if (!plan) one["refused"] = plan.error().what;
        if (plan && *write) {
            const auto written = write_names(plan->files);
            auto named = written ? name_device(*plan, request, one) : failed(written.error().what);
            if (!named && !done) complain(done.error().text); // of a device before
            if (!named) done = std::move(named);
        }
        report["names"].push_back(std::move(one));
    }
    if (request.json)
        print_json(report);
    else if (possible && !*write)
        note(_("nothing was written\n"
               "To write these files:\n"
               "  nm-ib name propose --rdma --yes"));
    return done;
}

} // namespace nmib::cli
