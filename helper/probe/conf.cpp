// SPDX-License-Identifier: LGPL-2.1-or-later
#include "probe/conf.hpp"

#include "core/printable.hpp"
#include "probe/dir.hpp"

#include "config.h"

#include <algorithm>
#include <map>

namespace nmib
{

namespace
{
constexpr std::size_t largest_file = 65536;
constexpr std::size_t most_files = 1000;

std::pair<std::string, std::string> split(const std::string &path)
{
    const auto slash = path.rfind('/');
    return slash == std::string::npos ? std::pair<std::string, std::string>(".", path)
                                      : std::pair(slash == 0 ? "/" : path.substr(0, slash), path.substr(slash + 1));
}

void read_conf(const std::string &path, PolicyRead &out)
{
    const auto [where, name] = split(path);
    const auto dir = Dir::open(where);
    if (!dir && dir.error().kind == Error::Kind::absent) return;
    const auto text = dir ? dir->read_trusted(name, largest_file) : Result<std::string>(dir.error());
    if (!text) {
        if (text.error().kind != Error::Kind::absent) out.warnings.push_back(text.error());
        return;
    }
    const auto file = Keyfile::parse(*text, path);
    const auto done = file ? parse_conf(*file, path, out.policy) : Result<void>(file.error());
    if (!done) out.warnings.push_back(done.error());
}

/// File name -> directory that holds the file to be used. The administrator's directory comes second and replaces.
void find_files(const std::string &path, std::map<std::string, const Dir *> &files, std::optional<Dir> &dir,
                PolicyRead &out)
{
    auto opened = Dir::open(path);
    if (!opened) {
        if (opened.error().kind != Error::Kind::absent) out.warnings.push_back(opened.error());
        return;
    }
    dir = std::move(*opened);
    const auto names = dir->list(most_files);
    if (!names) {
        out.warnings.push_back(names.error());
        return;
    }
    for (const auto &name : *names)
        if (name.ends_with(".conf")) files[name] = &*dir;
}

void read_quirk_file(const Dir &dir, const std::string &name, PolicyRead &out)
{
    if (const auto target = dir.link_target(name); target && *target == "/dev/null") return; // masked
    const auto path = dir.path() + "/" + name;
    const auto text = dir.read_trusted(name, largest_file);
    const auto file = text ? Keyfile::parse(*text, path) : Result<Keyfile>(text.error());
    const auto quirks = file ? parse_quirks(*file, path) : Result<std::vector<Quirk>>(file.error());
    if (!quirks) {
        out.warnings.push_back(quirks.error());
        return;
    }
    auto &all = out.policy.quirks;
    for (const auto &q : *quirks)
        if (const auto it = std::find_if(all.begin(), all.end(), [&](const Quirk &o) { return o.name == q.name; });
            it != all.end()) {
            out.warnings.push_back({Error::Kind::invalid, printable(path + ": [" + q.name + "] is in " + it->file +
                                                                    " already; file not used")});
            return;
        }
    all.insert(all.end(), quirks->begin(), quirks->end());
}
} // namespace

PolicyPaths installed_policy_paths() { return {NMIB_CONF, NMIB_QUIRKS, NMIB_QUIRKS_ADMIN}; }

PolicyRead read_policy(const PolicyPaths &paths)
{
    PolicyRead out;
    read_conf(paths.conf, out);
    std::optional<Dir> package, admin;
    std::map<std::string, const Dir *> files;
    find_files(paths.quirks, files, package, out);
    find_files(paths.quirks_admin, files, admin, out);
    out.paths = {paths.conf, paths.quirks, paths.quirks_admin};
    for (const auto &[name, dir] : files) {
        out.paths.push_back(dir->path() + "/" + name);
        read_quirk_file(*dir, name, out);
    }
    return out;
}

Result<void> parse_conf(const Keyfile &file, const std::string &name, Policy &policy)
{
    Policy p = policy;
    const auto bad = [&](const std::string &what) {
        return Error{Error::Kind::invalid, printable(name + ": " + what + "; file not used")};
    };
    for (const auto &group : file.groups()) {
        if (group != "main") return bad("unknown group [" + group + "] (there is [main])");
        if (const auto key = file.repeated_key(group)) return bad(*key + " is there more than once");
        for (const auto &key : file.keys(group)) {
            const auto value = file.get(group, key).value_or("");
            const auto yes = Keyfile::boolean(value);
            bool good = true;
            if (key == "connected-impossible") {
                good = value == "datagram" || value == "fail";
                p.connected_impossible = value == "fail" ? Policy::Impossible::fail : Policy::Impossible::fall_back;
            } else if (key == "plugin") {
                good = yes.has_value();
                p.plugin = yes.value_or(true);
            } else if (key == "remove-leftover-children") {
                good = yes.has_value();
                p.remove_leftovers = yes.value_or(true);
            } else if (key == "log-level") {
                good = value == "info" || value == "debug";
                p.debug = value == "debug";
            } else {
                return bad("unknown key '" + key + "' in [main]");
            }
            if (!good) return bad(key + "=" + value + " is no possible value");
        }
    }
    policy = std::move(p);
    return {};
}

} // namespace nmib
