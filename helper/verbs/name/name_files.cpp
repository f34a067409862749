// SPDX-License-Identifier: LGPL-2.1-or-later
#include "verbs/name/name_files.hpp"

#include "core/base/text.hpp"
#include "core/ib/rdma_device.hpp"
#include "core/name/conflict.hpp"
#include "probe/name/ports.hpp"
#include "probe/name/udev_files.hpp"
#include "terminal/process.hpp"
#include "verbs/name/name.hpp"
#include "verbs/name/rdma.hpp"

#include <algorithm>
#include <string_view>

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
        return bad(form("{} has no GUID of its own ({}); use --match path", name, port.guid.str()));
    if (wanted == Match::guid) return PortMatch(ByGuid{port.guid});
    if (!port.interface)
        return bad(
            form("{} has no interface, which is needed to match by path. To load the driver: modprobe ib_ipoib", name));
    const auto path = IdPath::parse(port.property("ID_PATH"));
    if (!path) return bad(form("udev reports no ID_PATH for {}, which is needed to match by path", name));
    return PortMatch(ByPath{*path, port.number});
}

std::string path_of(const std::string &file) { return std::string(link_directory) + "/" + file; }

Error edited(const std::string &path)
{
    return bad(form("{} was changed by hand; --force overrides this and keeps a copy", printable(path)));
}

/// Returns the warnings; the first other conflict is an Error.
Result<Words> objections(const NamingWorld &world, const PortIdentity &port, const PortName &name, bool force)
{
    Words fatal, warnings;
    bool forcible = true;
    for (const auto &c : conflicts(world, port, name)) {
        const auto line = text(c, port, name, translate);
        const bool is_warning = c.may_be_wrong() || (force && c.can_be_forced());
        (is_warning ? warnings : fatal).push_back(line);
        forcible = forcible && (is_warning || c.can_be_forced());
    }
    if (fatal.empty()) return warnings;
    return bad(forcible ? form("{}; --force overrides this", fatal.front()) : fatal.front());
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
                return edited(c.path);
            else if (!is_untouched(c.text))
                files.edited.push_back(c.file);
        } else if (for_port && c.path == path_of(c.file)) {
            if (!is_untouched(c.text) && !request.force) return edited(c.path);
            if (!is_untouched(c.text)) files.edited.push_back(c.file);
            files.remove.push_back(c.file);
        }
    }
    if (!files.write.empty()) files.text = content;
    return files;
}

namespace
{
Result<NameFiles> removal_of(const std::string &path, std::string_view directory, const std::string &text,
                             const NameRequest &request)
{
    const auto end = path.rfind('/');
    if (path.substr(0, end) != directory)
        return bad(form("{} is not in {}; remove the file at its source", printable(path), directory));
    NameFiles files{.directory = std::string(directory), .remove = {path.substr(end + 1)}};
    if (is_untouched(text)) return files;
    if (!request.force) return edited(path);
    files.edited = files.remove;
    return files;
}
} // namespace

Result<NameFiles> removal_of(const LinkConfig &own, const NameRequest &request)
{
    return removal_of(own.path, link_directory, own.text, request);
}

Result<NameFiles> removal_of(const RdmaRule &own, const NameRequest &request)
{
    return removal_of(own.path, rules_directory, own.text, request);
}

Result<FileChanges> write_names(const NameFiles &files)
{
    const auto &directory = files.directory;
    if (const auto dir = make_dir(directory); !dir) return dir.error();
    std::vector<FileChange> changes;
    for (const auto &name : files.edited) {
        const auto dir = Dir::open(directory);
        const auto text = dir.and_then([&](auto &d) { return d.read(name, 1U << 20); });
        const auto copy = text.and_then([&](auto &) { return free_copy_name(*dir, name); });
        if (!copy) return copy.error();
        changes.push_back({directory, *copy, *text});
    }
    const auto copies = changes.size();
    if (!files.write.empty()) changes.push_back({directory, files.write, files.text});
    for (const auto &name : files.remove) changes.push_back({directory, name, std::nullopt});
    auto done = FileChanges::make(changes);
    for (std::size_t i = 0; done && i < copies; i++)
        note(form("{}/{}: a copy of the file that was changed by hand", directory, changes[i].name));
    // udevd detects changed files, but checks only once in three seconds.
    if (done) (void)run_program({"/usr/bin/udevadm", "control", "--reload"});
    return done;
}

namespace
{
bool is_called(const PortIdentity &port, std::string_view word)
{
    if (!port.interface) return false;
    const auto &names = port.interface->alternative_names;
    return port.interface->name.view() == word || std::find(names.begin(), names.end(), word) != names.end();
}

std::vector<const PortIdentity *> find_all(const NamingWorld &world, const std::string &word)
{
    std::vector<const PortIdentity *> found;
    const auto add_those = [&](const auto &is_it) {
        if (!found.empty()) return;
        for (const auto &p : world.ports)
            if (is_it(p)) found.push_back(&p);
    };
    add_those([&](const auto &p) { return is_called(p, word); });
    add_those([&](const auto &p) {
        const auto *own = world.own_file(p);
        const auto name = own ? name_in(own->file) : std::nullopt;
        return name && name->view() == word;
    });
    add_those([&](const auto &p) { return names_port(word, p); });
    return found;
}
} // namespace

namespace
{
Result<void> read_machine(NamingWorld &world)
{
    const auto sysfs = Dir::open("/sys");
    if (!sysfs) return sysfs.error();
    auto rtnl = Rtnl::open();
    if (!rtnl) return rtnl.error();
    auto names = read_names(*rtnl);
    if (!names) return names.error();
    world.interfaces = std::move(*names);
    auto ports = read_ports(*sysfs, "/run/udev/data", world.interfaces);
    if (!ports) return ports.error();
    world.ports = std::move(*ports);
    read_rdma_nodes(world, *sysfs);
    return {};
}
} // namespace

Result<NamingWorld> read_naming_world()
{
    NamingWorld world;
    if (const auto read = read_machine(world); !read) return read.error();
    auto configs = read_link_configs();
    if (!configs) return configs.error();
    world.configs = std::move(*configs);
    if (const auto read = read_udev_rules(world); !read) return read.error();
    return world;
}

Result<const PortIdentity *> find_port(const NamingWorld &world, const std::string &word)
{
    const auto found = find_all(world, word);
    if (found.size() == 1) return found.front();
    const auto shown = printable(word);
    if (found.size() > 1) {
        Words labels;
        for (const auto *p : found) labels.push_back(p->label());
        return bad(form("'{}' matches more than one port; use one of: {}", shown, join(labels, ", ")));
    }
    if (const auto dot = word.rfind('.'); dot != word.npos && !find_all(world, word.substr(0, dot)).empty())
        return bad(form("'{}' is not a port, and a P_Key child takes its name from its port; use the port: {}", shown,
                        printable(word.substr(0, dot))));
    return Error{Error::Kind::absent, form("{}: no such InfiniBand port\n"
                                           "To list the ports:\n"
                                           "  nm-ib name",
                                           shown)};
}

std::string label(const PortIdentity &port)
{
    return printable(port.interface ? port.interface->name.str() : port.label());
}

namespace
{
/// For completion, which ignores read errors.
NamingWorld naming_world()
{
    auto world = read_naming_world();
    return world ? std::move(*world) : NamingWorld{};
}

Words names_given(const NamingWorld &world)
{
    Words names;
    for (const auto &c : world.configs)
        if (is_ours(c)) names.push_back(name_in(c.file)->str());
    return names;
}

/// Returns interfaces, names in files of nm-ib, HCA and number. `named`: only ports with a file of nm-ib.
Words port_words(const NamingWorld &world, bool named)
{
    auto all = names_given(world);
    for (const auto &port : world.ports) {
        if (named && !world.own_file(port)) continue;
        if (port.interface) all.push_back(port.interface->name.str());
        all.push_back(port.label());
    }
    std::sort(all.begin(), all.end(), is_before);
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

/// Returns the name in nm-ib's file, or the name that `propose` would give.
Words names_for(const NamingWorld &world, const std::string &word)
{
    const auto port = find_port(world, word);
    if (!port) return {};
    if (const auto *own = world.own_file(**port)) return {name_in(own->file)->str()};
    for (const auto &proposal : propose_names(world))
        if (proposal.port == *port) return {proposal.name.str()};
    return {};
}
} // namespace

Words name_set_operands(const Words &before)
{
    return before.empty() ? port_words(naming_world(), false) : names_for(naming_world(), before.front());
}

Words name_unset_operands(const Words &)
{
    const auto world = naming_world();
    auto words = port_words(world, true);
    for (const auto &rule : world.rdma_rules) words.push_back(rule.name.str());
    return words;
}

} // namespace nmib::cli
