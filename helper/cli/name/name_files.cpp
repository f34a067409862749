// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/name/name_files.hpp"

#include "cli/base/process.hpp"
#include "cli/name/world.hpp"
#include "core/base/printable.hpp"

#include <algorithm>

namespace nmib::cli
{

namespace
{
using Match = NameRequest::Match;

bool is_lone(const NamingWorld &world, Guid guid)
{
    return guid.value != 0 &&
           std::count_if(world.ports.begin(), world.ports.end(), [&](const auto &p) { return p.guid == guid; }) <= 1;
}

Result<PortMatch> choose_match(const NamingWorld &world, const PortIdentity &port, Match wanted)
{
    const auto name = label(port);
    const bool lone = is_lone(world, port.guid);
    if (wanted == Match::automatic) wanted = lone ? Match::guid : Match::path;
    if (wanted == Match::guid && !lone)
        return bad(form(_("%s has no GUID of its own (%s); use --match path"), name.c_str(), port.guid.str().c_str()));
    if (wanted == Match::guid) return PortMatch(ByGuid{port.guid});
    if (!port.interface)
        return bad(
            form(_("%s has no interface, which is needed to match by path. To load the driver: modprobe ib_ipoib"),
                 name.c_str()));
    const auto path = IdPath::parse(port.property("ID_PATH"));
    if (!path) return bad(form(_("udev reports no ID_PATH for %s, which is needed to match by path"), name.c_str()));
    return PortMatch(ByPath{*path, port.number});
}

std::string path_of(const std::string &file) { return std::string(link_directory) + "/" + file; }

Error edited(const LinkConfig &file)
{
    return bad(form(_("%s was changed by hand, and is left alone without --force"), printable(file.path).c_str()));
}

/// Everything that stands against it, in one line; or what may.
Result<Words> objections(const NamingWorld &world, const PortIdentity &port, const PortName &name, bool force)
{
    Words fatal, warnings;
    bool forcible = true;
    for (const auto &c : conflicts(world, port, name)) {
        const auto line = text(c, port, name, translate);
        const bool only_told = c.may_be_wrong() || (force && c.can_be_forced());
        (only_told ? warnings : fatal).push_back(line);
        forcible = forcible && (only_told || c.can_be_forced());
    }
    if (fatal.empty()) return warnings;
    return bad(form(forcible ? _("not without --force: %s") : "%s", fatal.front().c_str()));
}
} // namespace

Result<NameFiles> name_files(const NamingWorld &world, const PortIdentity &port, const std::string &wanted,
                             const NameRequest &request)
{
    if (const auto f = fault(wanted); f && !(request.force && can_be_forced(*f)))
        return bad(text(*f, wanted, translate));
    const auto name = *PortName::parse(wanted);
    const auto match = choose_match(world, port, request.match);
    if (!match) return match.error();
    auto warnings = objections(world, port, name, request.force);
    if (!warnings) return warnings.error();

    NameFiles files{.warnings = std::move(*warnings)};
    const auto file_now = file_name(name);
    const auto content = text(LinkFile{name, *match});
    files.write = file_now;
    for (const auto &c : world.configs) {
        const auto there = is_ours(c) ? match_of(c) : std::nullopt;
        const bool for_port = there && matches(*there, port);
        if (c.path == path_of(file_now)) {
            if (c.text == content)
                files.write.clear();
            else if (!is_untouched(c.text) && !request.force)
                return edited(c);
            else if (!is_untouched(c.text))
                files.edited.push_back(c.file);
        } else if (for_port && c.path == path_of(c.file)) {
            if (!is_untouched(c.text) && !request.force) return edited(c);
            if (!is_untouched(c.text)) files.edited.push_back(c.file);
            files.remove.push_back(c.file);
        }
    }
    if (!files.write.empty()) files.text = content;
    return files;
}

Result<NameFiles> removal_of(const LinkConfig &own, const NameRequest &request)
{
    if (own.path != path_of(own.file))
        return bad(form(_("%s is not in %s: remove it where it came from"), printable(own.path).c_str(),
                        std::string(link_directory).c_str()));
    if (is_untouched(own.text)) return NameFiles{.remove = {own.file}};
    if (!request.force) return edited(own);
    return NameFiles{.remove = {own.file}, .edited = {own.file}};
}

Result<FileChanges> write_names(const NameFiles &files)
{
    const std::string directory(link_directory);
    if (const auto dir = make_dir(directory); !dir) return dir.error();
    std::vector<FileChange> changes;
    for (const auto &name : files.edited) {
        const auto dir = Dir::open(directory);
        const auto text = dir ? dir->read(name, 1U << 20) : Result<std::string>(dir.error());
        const auto copy = text ? free_copy_name(*dir, name) : Result<std::string>(text.error());
        if (!copy) return copy.error();
        changes.push_back({directory, *copy, *text});
    }
    const auto copies = changes.size();
    if (!files.write.empty()) changes.push_back({directory, files.write, files.text});
    for (const auto &name : files.remove) changes.push_back({directory, name, std::nullopt});
    auto done = FileChanges::make(changes);
    for (std::size_t i = 0; done && i < copies; i++)
        note(form(_("%s/%s: a copy of the file that was changed by hand"), directory.c_str(), changes[i].name.c_str()));
    // udevd looks for new files by itself, but not within three seconds.
    if (done) (void)run_program({"/usr/bin/udevadm", "control", "--reload"});
    return done;
}

} // namespace nmib::cli
