// SPDX-License-Identifier: LGPL-2.1-or-later
#include "verbs/host/host.hpp"

#include "apply/base/file.hpp"
#include "core/base/text.hpp"
#include "probe/base/dir.hpp"
#include "probe/port/rdma_devices.hpp"
#include "terminal/json.hpp"
#include "terminal/process.hpp"
#include "terminal/table.hpp"

#include <algorithm>
#include <unistd.h>

namespace nmib::cli
{

Result<std::vector<RdmaDevice>> read_devices()
{
    const auto sysfs = Dir::open("/sys");
    if (!sysfs) return sysfs.error();
    auto devices = read_rdma_devices(*sysfs, {});
    if (!devices) return devices.error();
    for (auto &device : *devices) {
        read_details(*sysfs, device);
        for (auto &port : device.ports) read_details(*sysfs, device, port);
    }
    return devices;
}

void each_conf_file(const Words &directories,
                    const std::function<void(const std::string &path, const std::string &text)> &look)
{
    const auto files = layered_files(directories, ".conf");
    for (const auto &[name, path] : files ? *files : std::map<std::string, std::string>{})
        if (const auto text = read_layered(path, 1U << 20)) look(path, *text); // 99-sysctl.conf is a link
}

std::string unit_property(const std::string &unit, const char *property)
{
    const auto run = run_for({"/usr/bin/systemctl", "show", "-P", property, "--", unit}, 10);
    return run && run->code == 0 ? std::string(trim(run->out)) : std::string();
}

bool has_unit_file(const std::string &name)
{
    for (const std::string place : {"/etc", "/run", "/usr/local/lib", "/usr/lib", "/lib"})
        if (::access((place + "/systemd/system/" + name).c_str(), F_OK) == 0) return true;
    return false;
}

namespace
{
/// Returns the changes for one file; none if the file is as planned. An Error if nm-ib may not change the file.
Result<std::vector<FileChange>> changes_of(const HostFile &file, bool force)
{
    const auto text = read_file(file.path());
    if (!text && text.error().kind != Error::Kind::absent) return text.error();
    std::vector<FileChange> all;
    if (text ? *text == file.text : file.text.empty()) return all;
    const auto path = printable(file.path());
    const auto dir = Dir::open(file.directory);
    if (!dir && !file.own_directory)
        return Error{dir.error().kind, form("{}: the program that reads the file is not installed", path)};
    if (text && !is_host_file(*text))
        return bad(form("{} was not written by nm-ib host; move the file away first", path));
    if (text && !checksum_holds(*text)) {
        if (!force) return bad(form("{} was changed by hand; --force overrides this and keeps a copy", path));
        const auto copy = free_copy_name(*dir, file.name);
        if (!copy) return copy.error();
        all.push_back({file.directory, *copy, *text});
    }
    all.push_back(
        {file.directory, file.name, file.text.empty() ? std::nullopt : std::optional(file.text), file.own_directory});
    return all;
}

void report(const Request &request, const HostPlan &plan, const std::vector<FileChange> &changes, const Words &notes)
{
    const bool changed = !changes.empty() || !plan.profiles.empty();
    if (request.has("--json")) {
        auto json = json_object();
        json["noun"] = plan.noun;
        json["setting"] = plan.setting;
        json["changed"] = changed;
        json["dry_run"] = request.has("--dry-run");
        json["files"] = Json::array();
        for (const auto &f : plan.files) json["files"].push_back({{"path", f.path()}, {"text", or_null(f.text)}});
        json["profiles"] = plan.profiles;
        json["notes"] = notes;
        print_json(json);
        return;
    }
    if (!changed) print(form("{}: nothing to change\n", plan.setting));
    for (const auto &c : changes) {
        const auto path = printable(c.directory + "/" + c.name);
        if (!c.text)
            print(request.has("--dry-run") ? form("{} would be removed\n", path) : form("{} is removed\n", path));
        else
            print(request.has("--dry-run") ? path + ":\n" + *c.text : form("{} is written\n", path));
    }
    if (!plan.profiles.empty())
        print((request.has("--dry-run") ? _("Profiles would be changed like this:")
                                        : _("Profiles are changed like this:")) +
              std::string("\n  ") + join(plan.profiles, "\n  ") + "\n");
    for (const auto &n : notes) print(n + "\n");
}
} // namespace

Failure host_failure(const Error &error)
{
    return error.kind == Error::Kind::invalid ? refused(error.what) : failed(error.what);
}

Status carry_out(const Request &request, const HostPlan &plan)
{
    std::vector<FileChange> changes;
    for (const auto &f : plan.files) {
        auto some = changes_of(f, request.has("--force"));
        if (!some) return host_failure(some.error());
        std::move(some->begin(), some->end(), std::back_inserter(changes));
    }
    auto notes = plan.notes;
    if (!request.has("--dry-run")) {
        const bool changed = !changes.empty() || !plan.profiles.empty();
        if (::geteuid() != 0 && changed)
            return failed(_("only root can change settings of the machine; --dry-run shows the changes"));
        const auto done = FileChanges::make(changes);
        if (!done) return failed(done.error().what);
        if (plan.units && !changes.empty())
            if (const auto r = run_program({"/usr/bin/systemctl", "daemon-reload"}); !r)
                notes.push_back(form("systemd has not read the file yet: {}\n"
                                     "To make systemd read the file:\n"
                                     "  systemctl daemon-reload",
                                     r.error().what));
        const auto more = plan.after ? plan.after(changed) : Result<Words>(Words{});
        if (!more) {
            const auto undone = plan.profiles.empty() ? Result<void>() : done->undo();
            return failed(more.error().what + (undone ? "" : "; " + undone.error().what));
        }
        notes.insert(notes.end(), more->begin(), more->end());
    }
    report(request, plan, changes, notes);
    return {};
}

namespace
{
Status print_rows(const Request &request, const HostRows &rows)
{
    if (request.has("--json")) {
        auto json = json_object();
        json["changed"] = false;
        json["settings"] = Json::array();
        for (const auto &r : rows)
            json["settings"].push_back({{"noun", r.noun},
                                        {"setting", or_null(r.setting)},
                                        {"file", or_null(r.file)},
                                        {"by_nm_ib", r.ours},
                                        {"in_effect", or_null(r.effect)},
                                        {"needs", or_null(r.needs)},
                                        {"commands", r.commands}});
        print_json(json);
        return {};
    }
    Rows shown{.titles = {"NOUN", "SETTING", "FILE", "BY_NM_IB", "IN_EFFECT", "NEEDS"}};
    for (const auto &r : rows) {
        Words needs;
        if (!r.needs.empty()) needs.push_back(r.needs);
        for (const auto &command : r.commands) needs.push_back(join(command, " "));
        shown.rows.push_back({r.noun, printable(r.setting), printable(r.file), r.ours ? _("yes") : _("no"),
                              printable(r.effect), printable(join(needs, "; "))});
    }
    const auto text = table(request.print, shown);
    if (!text) return refused(text.error().what);
    print(*text);
    return {};
}
} // namespace

Status show_host(const Request &request)
{
    HostRows rows;
    for (auto *add : {add_memlock_rows, add_opensm_rows, add_rails_rows}) add(rows);
    return print_rows(request, rows);
}

Status run_noun(const Request &request, HostNoun *noun, AddHostRows *add)
{
    if (!request.words.empty()) return noun(request);
    if (request.has("--dry-run") || request.has("--force"))
        return refused(_("--dry-run and --force: only with words that change a setting"));
    HostRows rows;
    add(rows);
    return print_rows(request, rows);
}

} // namespace nmib::cli
