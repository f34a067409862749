// SPDX-License-Identifier: LGPL-2.1-or-later
#include "probe/plan/policy.hpp"

#include "config.h"
#include "core/base/text.hpp"
#include "probe/base/dir.hpp"

#include <algorithm>
#include <array>
#include <sys/stat.h>

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
    const auto done = file.and_then([&](auto &f) { return parse_conf(f, path, out.policy); });
    if (!done) out.warnings.push_back(done.error());
}

void read_quirk_file(const std::string &path, PolicyRead &out)
{
    const auto [where, name] = split_path(path);
    const auto dir = Dir::open(where);
    if (const auto target = dir ? dir->symlink_target(name) : dir.error(); target && *target == "/dev/null")
        return; // masked
    const auto text = read_file(path, largest_file, /*trusted=*/true);
    const auto file = text.and_then([&](auto &t) { return Keyfile::parse(t, path); });
    const auto quirks = file.and_then([&](auto &f) { return parse_quirks(f, path); });
    if (!quirks) {
        out.warnings.push_back(quirks.error());
        return;
    }
    auto &all = out.policy.quirks;
    for (const auto &q : *quirks)
        if (const auto it = std::find_if(all.begin(), all.end(), [&](const Quirk &o) { return o.name == q.name; });
            it != all.end()) {
            out.warnings.push_back({Error::Kind::invalid, printable(path + ": [" + q.name + "] is already in " +
                                                                    it->file + ", ignoring the file")});
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
        return Error{Error::Kind::invalid, printable(name + ": " + what + ", ignoring the file")};
    };
    for (const auto &group : file.groups()) {
        if (group != "main") return bad("unknown group [" + group + "] (known: [main])");
        if (const auto key = file.repeated_key(group)) return bad(*key + " is set more than once");
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
            if (!good) return bad(key + "=" + value + " is not valid");
        }
    }
    policy = std::move(p);
    return {};
}

// The quirk file format: one group per quirk, nm-ib-quirks(5).

namespace
{
/// Parses one value; returns false if it is invalid.
using Take = bool (*)(Quirk &quirk, const std::string &value);

template<class T> bool number(const std::string &text, T &to)
{
    const auto v = parse_number(trim(text), static_cast<std::uint64_t>(static_cast<T>(-1)));
    if (v) to = static_cast<T>(*v);
    return v.has_value();
}
template<class T> bool number(const std::string &text, std::optional<T> &to)
{
    T v{};
    const bool good = number(text, v);
    if (good) to = v;
    return good;
}

bool devices(Quirk &q, const std::string &text)
{
    for (const auto &part : Keyfile::list(text)) {
        std::uint16_t v = 0;
        if (!number(part, v)) return false;
        q.match.devices.push_back(v);
    }
    return !q.match.devices.empty();
}
bool flags(Quirk &q, const std::string &text)
{
    q.match.rc_capable = text == "rc";
    return text == "rc" || text == "no-rc";
}
bool name_length(Quirk &q, const std::string &text)
{
    return text.starts_with('>') && number(text.substr(1), q.match.name_longer_than) &&
           q.match.name_longer_than < IfName::max_length;
}
bool scope(Quirk &q, const std::string &text)
{
    q.scope = text == "port" ? Quirk::Scope::port : Quirk::Scope::port_and_children;
    return text == "port" || text == "port+children";
}
bool refuse(Quirk &q, const std::string &text) { return q.no_connected = text == "transport-mode:connected"; }
bool try_first(Quirk &q, const std::string &text) { return q.try_connected = text == "transport-mode:connected"; }

bool text(const std::string &value, std::string &to)
{
    to = value;
    return !value.empty();
}

/// For readers of the file; not kept.
bool remark(Quirk &, const std::string &) { return true; }

constexpr std::array<std::pair<std::string_view, Take>, 17> keys = {{
    {"Description", remark},
    {"MatchArpType", [](Quirk &, const std::string &v) { return trim(v) == "32"; }},
    {"MatchDriver", [](Quirk &q, const std::string &v) { return text(v, q.match.driver); }},
    {"MatchVendor", [](Quirk &q, const std::string &v) { return number(v, q.match.vendor); }},
    {"MatchDevice", devices},
    {"MatchRevision", [](Quirk &q, const std::string &v) { return number(v, q.match.revision); }},
    {"MatchFlagsByte", flags},
    {"MatchNameLength", name_length},
    {"Scope", scope},
    {"Refuse", refuse},
    {"Try", try_first},
    {"Reason", [](Quirk &q, const std::string &v) { return text(v, q.reason); }},
    {"Warn", [](Quirk &q, const std::string &v) { return text(v, q.warning); }},
    {"OnlyIfAvailable", [](Quirk &, const std::string &v) { return Keyfile::boolean(v) == true; }},
    {"KernelHandled", remark},
    {"Evidence", remark},
    {"Source", remark},
}};

bool feature(Quirk &q, const std::string &name, const std::string &value)
{
    const auto f = FeatureName::parse(name);
    const auto on = Keyfile::boolean(value);
    if (f && on) q.features.push_back({*f, *on});
    return f && on;
}
} // namespace

Result<std::vector<Quirk>> parse_quirks(const Keyfile &file, const std::string &name)
{
    std::vector<Quirk> quirks;
    for (const auto &group : file.groups()) {
        Quirk q;
        q.name = group;
        q.file = name;
        const auto bad = [&](const std::string &what) {
            return Error{Error::Kind::invalid, printable(name + ": [" + group + "] " + what + ", ignoring the file")};
        };
        if (const auto key = file.repeated_key(group)) return bad(*key + " is set more than once");
        for (const auto &key : file.keys(group)) {
            const auto value = file.get(group, key);
            if (!value) return bad(key + " is not valid text");
            constexpr std::string_view prefix = "Feature.";
            if (key.starts_with(prefix)) {
                if (!feature(q, key.substr(prefix.size()), *value))
                    return bad(key + "=" + *value + " is not a feature with on or off");
                continue;
            }
            const auto *it = std::find_if(keys.begin(), keys.end(), [&](const auto &k) { return k.first == key; });
            if (it == keys.end()) return bad("has the unknown key '" + key + "'");
            if (!it->second(q, *value)) return bad(key + "=" + *value + " is not valid");
        }
        if (q.features.empty() && !q.no_connected && !q.try_connected && q.warning.empty())
            return bad("does nothing: it needs Feature.*, Refuse, Try or Warn");
        if (q.no_connected && q.reason.empty()) return bad("needs Reason= beside Refuse=");
        quirks.push_back(std::move(q));
    }
    return quirks;
}

std::vector<PolicyCache::Stamp> PolicyCache::stamps() const
{
    const auto time = [](const timespec &t) {
        return std::uint64_t(t.tv_sec) * 1'000'000'000 + std::uint64_t(t.tv_nsec);
    };
    std::vector<Stamp> all;
    all.reserve(last_.paths.size());
    for (const auto &path : last_.paths) {
        struct stat st {
        };
        all.push_back(::stat(path.c_str(), &st) == 0
                          ? Stamp{st.st_dev, st.st_ino, std::uint64_t(st.st_size), time(st.st_mtim), time(st.st_ctim)}
                          : Stamp{});
    }
    return all;
}

const PolicyRead &PolicyCache::read()
{
    if (const auto now = stamps(); now.empty() || now != seen_) {
        // The stamps must be older than the reading, and only the reading finds the files.
        std::vector<std::string> known;
        do {
            known = last_.paths;
            seen_ = stamps();
            last_ = read_policy(paths_);
        } while (known != last_.paths);
    }
    return last_;
}

} // namespace nmib
