// SPDX-License-Identifier: LGPL-2.1-or-later
#include "probe/plan/conf.hpp"

#include "core/base/printable.hpp"
#include "probe/base/dir.hpp"
#include "probe/base/layers.hpp"

#include "config.h"

#include <algorithm>

namespace nmib
{

namespace
{
constexpr std::size_t largest_file = 65536;
constexpr std::size_t most_files = 1000;

void read_conf(const std::string &path, PolicyRead &out)
{
    const auto text = read_file(path, largest_file, /*trusted=*/true);
    if (!text) {
        if (text.error().kind != Error::Kind::absent) out.warnings.push_back(text.error());
        return;
    }
    const auto file = Keyfile::parse(*text, path);
    const auto done = file ? parse_conf(*file, path, out.policy) : Result<void>(file.error());
    if (!done) out.warnings.push_back(done.error());
}

void read_quirk_file(const std::string &path, PolicyRead &out)
{
    const auto [where, name] = split_path(path);
    const auto dir = Dir::open(where);
    if (const auto target = dir ? dir->symlink_target(name) : dir.error(); target && *target == "/dev/null")
        return; // masked
    const auto text = read_file(path, largest_file, /*trusted=*/true);
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
    out.paths = {paths.conf, paths.quirks, paths.quirks_admin};
    std::map<std::string, std::string> files;
    for (const auto &directory : {paths.quirks_admin, paths.quirks}) {
        auto found = layered_files({&directory, 1}, ".conf", most_files);
        if (found)
            files.merge(*found);
        else
            out.warnings.push_back(found.error());
    }
    for (const auto &[name, path] : files) {
        out.paths.push_back(path);
        read_quirk_file(path, out);
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
