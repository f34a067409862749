// SPDX-License-Identifier: LGPL-2.1-or-later
/// connection show PROFILE...
#include "cli/base/table.hpp"
#include "cli/daemon/profiles.hpp"
#include "cli/draft.hpp"
#include "cli/fields.hpp"
#include "cli/kinds.hpp"
#include "cli/nmcli/handover.hpp"
#include "cli/verb/verbs.hpp"

#include <algorithm>
#include <cstring>

namespace nmib::cli
{

namespace
{
bool hidden(const Row &row, NMSetting *setting)
{
    if (!row.hide_default) return false;
    const bool option = row.kind == &kind::feature || row.kind == &kind::ring;
    return option ? !nm_setting_option_get(setting, row.name) : kind::is_default(setting, row.name);
}

std::string show_setting(const Options &options, NMSetting *setting, const SettingField &field)
{
    const bool terse = options.print == Options::Print::terse;
    const auto style = terse ? Style::parsable : Style::pretty;
    std::vector<Cell> cells;
    if (!options.multiline.value_or(true) && !field.row) cells.push_back({"name", field.group->name});
    for (const auto *row : field.group->rows()) {
        if ((field.row && field.row != row) || hidden(*row, setting)) continue;
        auto value = row->kind->get(*row, setting, style);
        if (value.empty() && !terse) value = "--";
        cells.push_back({row->title(), std::move(value)});
    }
    return table(options, field.group->name, cells);
}

std::string show_profile(const Options &options, NMConnection *connection, const std::vector<SettingField> &fields)
{
    auto text =
        banner(options, std::string(nm("Connection profile details")) + " (" + nm_connection_get_id(connection) + ")");
    const bool apart = options.print != Options::Print::terse && !options.multiline.value_or(true);
    bool before = false;
    for (const auto &field : fields) {
        if (apart && before) text += "\n";
        auto *setting = field.group ? nm_connection_get_setting_by_name(connection, field.group->name) : nullptr;
        before = setting;
        if (setting) text += show_setting(options, setting, field);
    }
    return text;
}

/// Only what our rows know is in it.
bool is_ours(NMConnection *connection)
{
    if (!nm_connection_is_type(connection, "infiniband")) return false;
    unsigned n = 0;
    const std::unique_ptr<NMSetting *, Freer<g_free>> settings(nm_connection_get_settings(connection, &n));
    return std::all_of(settings.get(), settings.get() + n, [](NMSetting *s) {
        return find_group(nm_setting_get_name(s)) || std::strcmp(nm_setting_get_name(s), "user") == 0;
    });
}

constexpr std::string_view active_prefix = "/org/freedesktop/NetworkManager/ActiveConnection/";

/// A page of output, and why there is no more of it.
struct Page {
    std::string text;
    std::optional<Failure> failure{};
    bool paged = false; ///< a profile is on it
};

class Viewer
{
public:
    Viewer(Invocation &in, const Daemon &daemon, const ShowFields &fields) :
        in_(in), daemon_(daemon), profiles_(daemon), actives_(daemon), fields_(fields)
    {
    }
    Page show_all(bool active_only);

private:
    std::optional<Failure> show_named(const std::string &selector, const std::string &name, bool active_only);
    std::optional<Failure> show_one(const Known &profile, std::vector<ActiveConnection> active);
    std::optional<ActiveConnection> find_active(const std::string &selector, const std::string &name);

    Invocation &in_;
    const Daemon &daemon_;
    Profiles profiles_;
    Actives actives_;
    const ShowFields &fields_;
    std::string text_;
    bool first_ = true, paged_ = false;
};

Page Viewer::show_all(bool active_only)
{
    while (!in_.args.empty()) {
        std::string selector;
        if (is_selector(in_.args.front()) || in_.args.front() == "apath") {
            selector = in_.args.take();
            if (in_.args.empty())
                return {text_, Failure{exit_usage, form(nm("Error: %s argument is missing."), selector.c_str())},
                        paged_};
        }
        const auto name = in_.args.take();
        if (auto failure = show_named(selector, name, active_only)) return {text_, failure, paged_};
        skip_options(in_.args, in_.options);
    }
    return {text_, {}, paged_};
}

/// By its path, or with the selector by the last part of that.
std::optional<ActiveConnection> Viewer::find_active(const std::string &selector, const std::string &name)
{
    for (const auto &path : actives_.paths())
        if (path == name || (!selector.empty() && path == std::string(active_prefix) + name))
            return read_active(daemon_, path);
    return std::nullopt;
}

std::optional<Failure> Viewer::show_named(const std::string &selector, const std::string &name, bool active_only)
{
    if (selector == "apath" || (selector.empty() && name.starts_with(active_prefix)))
        if (auto active = find_active(selector, name)) {
            const auto profile = active->properties.object("Connection");
            std::vector<ActiveConnection> only;
            only.push_back(std::move(*active));
            return show_one({{}, {}, {}, {}, {}, profile}, std::move(only));
        }
    const bool with_active = active_only || fields_.active.any;
    if (with_active) actives_.ask();
    const auto found = selector == "apath" ? std::vector<Known>{} : profiles_.find(selector, name);
    if (found.empty() && !daemon_.running()) return Daemon::not_running();
    if (found.empty())
        return Failure{exit_not_found, form(nm("Error: %s - no such connection profile."), name.c_str())};
    for (const auto &k : found) {
        std::vector<ActiveConnection> active;
        if (with_active) {
            daemon_.expect_profile(k.path);
            active = actives_.of(k.path);
        }
        if (active_only && active.empty()) continue;
        if (auto failure = show_one(k, std::move(active))) return failure;
    }
    return {};
}

std::optional<Failure> Viewer::show_one(const Known &profile, std::vector<ActiveConnection> active)
{
    const auto connection = daemon_.profile(profile.path);
    if (!connection || !is_ours(connection->get()) || is_renamed(profile, connection->get())) return to_nmcli();
    if (!first_) text_ += "\n";
    first_ = false;
    if (fields_.profile.any) {
        if (fields_.profile.mistake) return fields_.profile.mistake;
        paged_ = true;
        text_ += show_profile(in_.options, connection->get(), fields_.profile.fields);
    }
    if (!fields_.active.any) return {};
    for (const auto &a : active) {
        if (&a != &active.front()) text_ += "\n";
        if (fields_.active.mistake) return fields_.active.mistake;
        const bool parsable = in_.options.print == Options::Print::terse;
        paged_ = true;
        text_ += show_active(in_.options, {daemon_, a, connection->get(), parsable}, fields_.active.fields);
    }
    return {};
}

/// --active among the options that may stand anywhere. Nothing when it is a list.
std::optional<bool> wants_active_only(Invocation &in)
{
    bool active_only = false;
    while (!in.args.empty() && !is_option(in.args.front(), "order")) {
        if (is_option(in.args.front(), "active")) {
            active_only = true;
            in.args.skip();
        } else if (!skip_option(in.args, in.options)) {
            return active_only;
        }
    }
    return std::nullopt;
}
} // namespace

std::optional<Failure> show_connection(Invocation &in)
{
    const auto active_only = wants_active_only(in);
    if (!active_only) return to_nmcli(); // a list
    if (in.options.overview && !in.options.fields) return to_nmcli();
    const auto connected = Daemon::connect();
    if (const auto *f = std::get_if<Failure>(&connected)) return *f;
    if (std::get<Daemon>(connected).would_nmcli_warn()) return to_nmcli();
    const auto fields = parse_fields(in.options.fields);
    if (const auto *mistake = std::get_if<Failure>(&fields)) return *mistake;
    auto page = Viewer(in, std::get<Daemon>(connected), std::get<ShowFields>(fields)).show_all(*active_only);
    if (page.failure && is_to_nmcli(*page.failure)) return page.failure;
    if (page.paged) in.pager.emplace(in.options);
    print(page.text);
    return page.failure;
}

} // namespace nmib::cli
