// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/host/writing.hpp"

#include "apply/file.hpp"
#include "cli/base/json.hpp"
#include "cli/base/process.hpp"
#include "core/printable.hpp"

#include <algorithm>
#include <unistd.h>

namespace nmib::cli
{

namespace
{
constexpr std::size_t longest = 1U << 20;

/// Does the file differ from what it is to be? An Error where somebody else wrote it.
Result<bool> differs(const HostFile &file)
{
    const auto dir = Dir::open(file.directory);
    const auto text = dir ? dir->read(file.name, longest) : Result<std::string>(dir.error());
    if (!text) {
        if (text.error().kind != Error::Kind::absent) return text.error();
        return !file.text.empty();
    }
    if (!is_host_file(*text))
        return bad(
            form(_("%s was not written by nm-ib host, and is left alone; move it away first"), file.path().c_str()));
    return *text != file.text;
}

Result<void> bring_about(const HostFile &file)
{
    if (file.text.empty()) {
        const auto dir = Dir::open(file.directory);
        if (!dir) return dir.error();
        if (auto r = remove_file(*dir, file.name); !r) return r;
        if (file.own_directory) remove_empty_dir(file.directory);
        return {};
    }
    if (const auto there = Dir::open(file.directory); !there && !file.own_directory)
        return Error{there.error().kind,
                     form(_("%s; is what reads it installed?"), printable(there.error().what).c_str())};
    const auto dir = make_dir(file.directory);
    if (!dir) return dir.error();
    remove_leftovers(*dir);
    return write_file(*dir, file.name, file.text);
}

void report(const HostRequest &request, const HostPlan &plan, const std::vector<const HostFile *> &files,
            const Words &notes)
{
    const bool changed = !files.empty();
    if (request.json) {
        auto j = json_object();
        j.update({{"noun", plan.noun}, {"setting", plan.setting}, {"changed", changed}, {"dry_run", request.dry_run}});
        j["files"] = Json::array();
        for (const auto &f : plan.files) // those that are to be, and those that go
            if (!f.text.empty() || plan.is_default || std::find(files.begin(), files.end(), &f) != files.end())
                j["files"].push_back({{"path", f.path()}, {"text", f.text.empty() ? Json() : Json(f.text)}});
        j["notes"] = notes;
        print_json(j);
        return;
    }
    if (!changed) print(form(_("%s: nothing to change\n"), plan.setting.c_str()));
    for (const auto *f : files) {
        const auto path = printable(f->path());
        if (f->text.empty())
            print(form(request.dry_run ? _("%s would be removed\n") : _("%s is removed\n"), path.c_str()));
        else
            print(request.dry_run ? path + ":\n" + f->text : form(_("%s is written\n"), path.c_str()));
    }
    for (const auto &n : notes) print(n + "\n");
}
} // namespace

Failure host_refused(const std::string &why) { return {exit_usage, form(_("Error: %s"), why.c_str())}; }
Failure host_failed(const std::string &why) { return {exit_failed, form(_("Error: %s"), why.c_str())}; }

std::optional<Failure> carry_out(const HostRequest &request, const HostPlan &plan)
{
    std::vector<const HostFile *> changed;
    for (const auto &f : plan.files) {
        const auto different = differs(f);
        if (!different) {
            if (different.error().kind == Error::Kind::invalid) return host_refused(different.error().what);
            return host_failed(different.error().what);
        }
        if (*different) changed.push_back(&f);
    }
    auto notes = plan.notes;
    if (!request.dry_run) {
        if (::geteuid() != 0 && (!changed.empty() || request.now))
            return host_failed(_("only root can change settings of the machine; --dry-run shows them"));
        for (const auto *f : changed)
            if (const auto r = bring_about(*f); !r) return host_failed(r.error().what);
        if (plan.units && !changed.empty())
            if (const auto r = run_program({"/usr/bin/systemctl", "daemon-reload"}); !r)
                notes.push_back(
                    form(_("systemd has not read it yet (%s): systemctl daemon-reload"), r.error().what.c_str()));
        const auto more = plan.after ? plan.after(!changed.empty()) : Result<Words>(Words{});
        if (!more) return host_failed(more.error().what);
        notes.insert(notes.end(), more->begin(), more->end());
    }
    report(request, plan, changed, notes);
    return {};
}

} // namespace nmib::cli
