// SPDX-License-Identifier: LGPL-2.1-or-later
#include "probe/plan/policy.hpp"

#include "config.h"
#include "core/base/text.hpp"
#include "probe/base/dir.hpp"
#include "probe/base/keyfile.hpp"

#include <algorithm>
#include <array>
#include <glib.h>
#include <memory>

namespace nmib
{

namespace
{
constexpr std::size_t largest_file = 65536;
constexpr std::size_t most_files = 1000;
constexpr std::size_t most_mistakes = 10;

/// Reads a file; adds path and text to `all`.
Result<std::string> read_text(const std::string &path, std::string &all)
{
    auto text = read_file(path, largest_file, /*trusted=*/true);
    all += path + '\0' + (text ? *text : text.error().what) + '\0';
    return text;
}

/// At most `most_mistakes` of a file are logged: a file of another kind has thousands.
void add_mistakes(std::vector<Error> mistakes, const std::string &path, std::vector<Error> &warnings)
{
    if (mistakes.size() > most_mistakes) {
        const auto more = mistakes.size() - most_mistakes;
        mistakes.resize(most_mistakes);
        mistakes.push_back({Error::Kind::invalid, path + ": " + std::to_string(more) + " more mistakes"});
    }
    warnings.insert(warnings.end(), mistakes.begin(), mistakes.end());
}

void read_conf(const std::string &path, PolicyRead &out, std::string &all)
{
    const auto text = read_text(path, all);
    if (!text) {
        if (text.error().kind == Error::Kind::absent) return;
        out.warnings.push_back(text.error());
        out.policy.remove_leftovers = false;
        return;
    }
    std::vector<Error> mistakes;
    parse_conf(*text, path, out.policy, mistakes);
    add_mistakes(std::move(mistakes), path, out.warnings);
}

void read_quirk_file(const std::string &path, PolicyRead &out, std::string &all)
{
    const auto [where, name] = split_path(path);
    const auto dir = Dir::open(where);
    if (const auto target = dir ? dir->symlink_target(name) : dir.error(); target && *target == "/dev/null")
        return; // masked
    const auto text = read_text(path, all);
    if (!text) {
        out.warnings.push_back(text.error());
        return;
    }
    std::vector<Error> mistakes;
    auto &others = out.policy.quirks;
    for (auto &q : parse_quirks(*text, path, mistakes)) {
        const auto same = [&](const Quirk &o) { return o.name == q.name; };
        const auto it = std::find_if(others.begin(), others.end(), same);
        if (it == others.end())
            others.push_back(std::move(q));
        else
            mistakes.push_back({Error::Kind::invalid, printable(path + ": [" + q.name + "] is already in " + it->file +
                                                                ", ignoring the quirk")});
    }
    add_mistakes(std::move(mistakes), path, out.warnings);
}
} // namespace

PolicyPaths installed_policy_paths() { return {NMIB_CONF, NMIB_QUIRKS, NMIB_QUIRKS_ADMIN}; }

PolicyRead read_policy(const PolicyPaths &paths)
{
    PolicyRead out;
    std::string all;
    read_conf(paths.conf, out, all);
    std::map<std::string, std::string> files;
    for (const auto &directory : {paths.quirks_admin, paths.quirks}) {
        auto found = layered_files({&directory, 1}, ".conf", most_files);
        if (found)
            files.merge(*found);
        else
            out.warnings.push_back(found.error());
    }
    for (const auto &[name, path] : files) read_quirk_file(path, out, all);
    const std::unique_ptr<char, void (*)(gpointer)> digest(
        g_compute_checksum_for_data(G_CHECKSUM_SHA256, reinterpret_cast<const guchar *>(all.data()), all.size()),
        g_free);
    out.digest = digest.get();
    return out;
}

void parse_conf(const std::string &text, const std::string &name, Policy &policy, std::vector<Error> &warnings)
{
    const auto bad = [&](const KeyfileLine &line, const std::string &what) {
        warnings.push_back(
            {Error::Kind::invalid, printable(name + ":" + std::to_string(line.number) + ": " + what + ", ignoring")});
    };
    for (const auto &line : keyfile_lines(text, name, warnings)) {
        const auto &group = line.group, &key = line.key;
        const auto &given = line.value;
        if (group != "main") {
            if (key.empty()) bad(line, "unknown group [" + group + "] (known: [main])");
            continue;
        }
        if (key.empty()) continue;
        // A child that is removed by mistake was in use.
        const auto keep_children = [&] {
            if (key.starts_with("remove-leftover")) policy.remove_leftovers = false;
        };
        if (!given) {
            bad(line, "'" + key + "' has no valid value");
            keep_children();
            continue;
        }
        const auto &value = *given;
        const auto yes = Keyfile::boolean(value);
        bool good = true;
        if (key == "connected-impossible") {
            good = value == "datagram" || value == "fail";
            if (good)
                policy.connected_impossible =
                    value == "fail" ? Policy::Impossible::fail : Policy::Impossible::fall_back;
        } else if (key == "plugin") {
            good = yes.has_value();
            policy.plugin = yes.value_or(policy.plugin);
        } else if (key == "remove-leftover-children") {
            good = yes.has_value();
            policy.remove_leftovers = yes.value_or(false);
        } else if (key == "log-level") {
            good = value == "info" || value == "debug";
            if (good) policy.debug = value == "debug";
        } else {
            bad(line, "unknown key '" + key + "' in [main]");
            keep_children();
        }
        if (!good) bad(line, key + "=" + value + " is not valid");
    }
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
    q.match.devices.clear();
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
bool connected(bool &set, const std::string &text)
{
    set |= text == "transport-mode:connected";
    return text == "transport-mode:connected";
}

bool text(const std::string &value, std::string &to)
{
    if (!value.empty()) to = value;
    return !value.empty();
}

constexpr std::array<std::pair<std::string_view, Take>, 11> keys = {{
    {"MatchDriver", [](Quirk &q, const std::string &v) { return text(v, q.match.driver); }},
    {"MatchVendor", [](Quirk &q, const std::string &v) { return number(v, q.match.vendor); }},
    {"MatchDevice", devices},
    {"MatchRevision", [](Quirk &q, const std::string &v) { return number(v, q.match.revision); }},
    {"MatchFlagsByte", flags},
    {"MatchNameLength", name_length},
    {"Scope", scope},
    {"Refuse", [](Quirk &q, const std::string &v) { return connected(q.no_connected, v); }},
    {"Try", [](Quirk &q, const std::string &v) { return connected(q.try_connected, v); }},
    {"Reason", [](Quirk &q, const std::string &v) { return text(v, q.reason); }},
    {"Warn", [](Quirk &q, const std::string &v) { return text(v, q.warning); }},
}};

bool feature(Quirk &q, const std::string &name, const std::string &value)
{
    const auto f = FeatureName::parse(name);
    const auto on = Keyfile::boolean(value);
    if (!f || !on) return false;
    std::erase_if(q.features, [&](const auto &other) { return other.name == *f; });
    q.features.push_back({*f, *on});
    return true;
}

/// Returns what is wrong with an assignment, or nothing.
std::string take_line(Quirk &q, const KeyfileLine &line)
{
    constexpr std::string_view prefix = "Feature.";
    const auto &[number, group, key, value] = line;
    if (!value) return "'" + key + "' has no valid value";
    if (key.starts_with(prefix))
        return feature(q, key.substr(prefix.size()), *value) ? ""
                                                             : key + "=" + *value + " is not a feature with on or off";
    const auto *it = std::find_if(keys.begin(), keys.end(), [&name = key](const auto &k) { return k.first == name; });
    if (it == keys.end()) return "unknown key '" + key + "'";
    return it->second(q, *value) ? "" : key + "=" + *value + " is not valid";
}

/// Without its condition, the quirk would match more. Also for a key that is misspelled after its first word.
bool is_condition(const std::string &key)
{
    if (key == "MatchArpType") return false; // a key of earlier files, which was always true
    return g_ascii_strncasecmp(key.c_str(), "Match", 5) == 0 || g_ascii_strncasecmp(key.c_str(), "Scope", 5) == 0;
}

/// Returns why a quirk cannot hold, or nothing.
std::string fault_of(const Quirk &q)
{
    if (q.features.empty() && !q.no_connected && !q.try_connected && q.warning.empty())
        return "does nothing: it needs Feature.*, Refuse, Try or Warn";
    return q.no_connected && q.reason.empty() ? "needs Reason= beside Refuse=" : "";
}
} // namespace

std::vector<Quirk> parse_quirks(const std::string &text, const std::string &name, std::vector<Error> &warnings)
{
    constexpr std::string_view line_ignored = ", ignoring the line", quirk_ignored = ", ignoring the quirk";
    struct Read {
        Quirk quirk;
        unsigned line;
        bool lost = false;                       ///< a condition is wrong
        std::optional<std::size_t> mistake = {}; ///< the last of its warnings
    };
    std::vector<Read> all;
    const auto bad = [&](unsigned line, const std::string &group, const std::string &what) {
        warnings.push_back(
            {Error::Kind::invalid, printable(name + ":" + std::to_string(line) + ": [" + group + "] " + what)});
    };
    for (const auto &line : keyfile_lines(text, name, warnings)) {
        auto it = std::find_if(all.begin(), all.end(), [&](const auto &r) { return r.quirk.name == line.group; });
        if (it == all.end()) {
            it = all.insert(all.end(), {{}, line.number});
            it->quirk.name = line.group;
            it->quirk.file = name;
        }
        const auto wrong = line.key.empty() ? "" : take_line(it->quirk, line);
        if (wrong.empty()) continue;
        it->mistake = warnings.size();
        it->lost |= is_condition(line.key);
        bad(line.number, line.group, wrong + std::string(it->lost ? quirk_ignored : line_ignored));
    }
    std::vector<Quirk> quirks;
    for (auto &[quirk, line, lost, mistake] : all) {
        const auto fault = fault_of(quirk);
        if (!lost && fault.empty()) quirks.push_back(std::move(quirk));
        if (lost || fault.empty()) continue;
        if (!mistake)
            bad(line, quirk.name, fault + ", ignoring the quirk");
        else if (auto &what = warnings[*mistake].what; what.ends_with(line_ignored))
            what.replace(what.size() - line_ignored.size(), line_ignored.size(), quirk_ignored);
    }
    return quirks;
}

} // namespace nmib
