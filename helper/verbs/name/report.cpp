// SPDX-License-Identifier: LGPL-2.1-or-later
#include "verbs/name/report.hpp"

#include "core/base/text.hpp"
#include "terminal/json.hpp"
#include "terminal/process.hpp"
#include "terminal/table.hpp"
#include "verbs/name/name.hpp"
#include "verbs/name/name_files.hpp"

#include <algorithm>
#include <sys/statvfs.h>
#include <unistd.h>

namespace nmib::cli
{

std::string initramfs_of_image()
{
    for (const auto *sign : {"/run/ostree-booted", "/run/.containerenv", "/sysroot/ostree"})
        if (::access(sign, F_OK) == 0)
            return _("dracut -f /usr/lib/modules/KERNEL/initramfs.img KERNEL  # in the build of the image\n"
                     "  rpm-ostree initramfs --enable  # on a host with packages of its own");
    struct statvfs root {
    };
    const bool read_only = ::statvfs("/", &root) == 0 && (root.f_flag & ST_RDONLY) != 0;
    return read_only && ::access("/usr/sbin/transactional-update", X_OK) == 0 ? "transactional-update initrd" : "";
}

Words initramfs_command()
{
    Words boot_entries = {"/usr/bin/sdbootutil", "--no-reuse-initrd", "--default-snapshot", "add-all-kernels"};
    if (run_program({boot_entries.front(), "is-installed"})) return boot_entries; // SUSE with systemd-boot
    // Debian's, for initramfs-tools or dracut; then dracut elsewhere. For every kernel: --force alone rebuilds only the
    // running kernel's.
    for (const Words &command : {Words{"/usr/sbin/update-initramfs", "-u", "-k", "all"},
                                 Words{"/usr/bin/dracut", "--force", "--regenerate-all"},
                                 Words{"/usr/sbin/dracut", "--force", "--regenerate-all"}})
        if (::access(command.front().c_str(), X_OK) == 0) return command;
    return {};
}

Result<void> update_initramfs(const Words &command)
{
    const auto typed = join(command, " ");
    const auto done = run_program(command);
    if (done) return {};
    return Error{Error::Kind::io, form("the initramfs cannot be rebuilt, and still has the old names: {}\n"
                                       "To try again:\n"
                                       "  {}",
                                       done.error().what, typed)};
}

Json json_of(const PortIdentity &port)
{
    Json j = {{"port", port.label()}, {"hca", port.hca}, {"number", port.number}, {"bus", port.bus}};
    j["guid"] = port.guid.str();
    j["interface"] = port.interface ? Json(port.interface->name.str()) : Json();
    return j;
}

Json json_of(const NameState &state)
{
    return {{"name", state.name.str()}, {"file", state.path}, {"state", id(state.code)}, {"text", text(state)}};
}

Failure refusal_of(const Error &why)
{
    auto failure = failure_of(why);
    if (why.kind == Error::Kind::invalid || why.kind == Error::Kind::refused) failure.code = exit_usage;
    return failure;
}

std::string rebuild_initramfs(const NameRequest &request)
{
    const auto command = initramfs_command();
    const auto of_image = initramfs_of_image();
    if (command.empty() && of_image.empty()) return "none";
    const auto typed = of_image.empty() ? join(command, " ") : of_image;
    if (!request.initramfs || !of_image.empty()) {
        note(form("the initramfs still has the old names, which take effect if it loads ib_ipoib\n"
                  "To rebuild the initramfs:\n"
                  "  {}",
                  typed));
        return "left";
    }
    if (::isatty(STDERR_FILENO)) note(form("rebuilding the initramfs: {}", typed));
    if (const auto done = update_initramfs(command); !done) {
        note(form("warning: {}", done.error().what));
        return "failed";
    }
    return "updated";
}

namespace
{
Json json_of_world(const NamingWorld &world, const std::vector<NameState> &states)
{
    auto all = json_object();
    all["changed"] = false;
    all["ports"] = Json::array();
    for (const auto &port : world.ports) {
        auto j = json_of(port);
        if (const auto *state = find_state(states, port)) j.update(json_of(*state));
        all["ports"].push_back(std::move(j));
    }
    all["without_port"] = Json::array();
    for (const auto &s : states)
        if (!s.port) all["without_port"].push_back(json_of(s));
    all["rdma"] = Json::array();
    for (const auto &s : rdma_name_states(world)) {
        Json j = {{"hca", s.device ? Json(s.device->name) : Json()}};
        if (s.device) j["node_guid"] = s.device->guid.str();
        j.update(json_of(s));
        all["rdma"].push_back(std::move(j));
    }
    return all;
}

Rows rows_of(const NamingWorld &world, const std::vector<NameState> &states)
{
    Rows all{.titles = {"PORT", "GUID", "INTERFACE", "NAME", "STATE", "FILE"}};
    const auto add = [&](const PortIdentity *p, const NameState *s) {
        all.rows.push_back({p ? printable(p->label()) : "", p ? p->guid.str() : "",
                            p && p->interface ? printable(p->interface->name.view()) : "", s ? s->name.str() : "",
                            s ? std::string(id(s->code)) : "", s ? printable(s->path) : ""});
    };
    for (const auto &port : world.ports) add(&port, find_state(states, port));
    for (const auto &s : states)
        if (!s.port) add(nullptr, &s);
    for (const auto &s : rdma_name_states(world))
        all.rows.push_back({s.device ? printable(s.device->name) : "", s.device ? s.device->guid.str() : "", "",
                            s.name.str(), std::string(id(s.code)), printable(s.path)});
    return all;
}
} // namespace

Status list_names(const NameRequest &request)
{
    const auto world = read_naming_world();
    if (!world) return refusal_of(world.error());
    const auto states = name_states(*world);
    if (request.json) {
        print_json(json_of_world(*world, states));
        return {};
    }
    const auto text = table(request.print, rows_of(*world, states));
    if (!text) return refused(text.error().what);
    const bool empty = world->ports.empty() && states.empty() && world->rdma_rules.empty();
    print(empty && request.print.print != Options::Print::terse ? std::string(_("No InfiniBand port found.")) + "\n"
                                                                : *text);
    return {};
}

Status check_names(const NameRequest &request)
{
    const auto world = read_naming_world();
    if (!world) return refusal_of(world.error());
    auto states = name_states(*world);
    for (auto &s : rdma_name_states(*world)) states.push_back(std::move(s));
    const auto wrong = std::count_if(states.begin(), states.end(), [](const auto &s) { return s.is_fault(); });
    if (request.json) {
        auto all = json_object();
        all.update({{"changed", false}, {"good", wrong == 0}, {"names", Json::array()}});
        for (const auto &s : states) all["names"].push_back(json_of(s));
        print_json(all);
        return wrong == 0 ? Status() : Failure{exit_failed, {}};
    }
    for (const auto &s : states) print(text(s, translate) + "\n");
    if (wrong == 0) return {};
    return Failure{exit_failed, form("Error: {} of {} names do not hold.", wrong, states.size())};
}

} // namespace nmib::cli
