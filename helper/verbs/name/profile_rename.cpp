// SPDX-License-Identifier: LGPL-2.1-or-later
#include "verbs/name/profile_rename.hpp"

#include "core/base/text.hpp"
#include "core/ib/ifname.hpp"
#include "nm/profile.hpp"

#include <algorithm>
#include <charconv>

namespace nmib::cli
{

namespace
{
constexpr const char *bond_options = "bond.options";
constexpr const char *match_names = "match.interface-name";

/// Parses the P_Key in the name of a child: "ib0.8002".
std::optional<std::uint16_t> key_in(std::string_view name, const IfName &parent)
{
    if (!name.starts_with(parent.view()) || name.size() != parent.size() + 5 || name[parent.size()] != '.')
        return std::nullopt;
    std::uint16_t key = 0;
    const char *end = name.data() + name.size();
    const auto r = std::from_chars(end - 4, end, key, 16);
    if (r.ec != std::errc() || r.ptr != end) return std::nullopt;
    return key;
}

class Follower
{
public:
    Follower(NMConnection *profile, const IfName &from, const IfName &to) : profile_(profile), from_(from), to_(to) {}

    std::vector<Edit> follow()
    {
        // Before follow_parent(): name_of_child() needs the old parent.
        follow_interface_name();
        guint count = 0;
        const std::unique_ptr<NMSetting *, Freer<g_free>> settings(nm_connection_get_settings(profile_, &count));
        for (guint i = 0; i < count; i++) follow_parent(settings.get()[i]);
        if (auto *match = setting<NMSettingMatch>(NM_TYPE_SETTING_MATCH)) follow_match(match);
        if (auto *bond = nm_connection_get_setting_bond(profile_)) follow_bond(bond);
        return std::move(edits_);
    }

private:
    template<class T> T *setting(GType type) const
    {
        return reinterpret_cast<T *>(nm_connection_get_setting(profile_, type));
    }

    std::optional<std::string> renamed(std::string_view name) const
    {
        const auto to = follow_name(name, from_, to_);
        return to ? std::optional(to->str()) : std::nullopt;
    }

    /// For a profile of the interface's child: the name that NetworkManager requires; empty: unset. Else nullopt.
    std::optional<std::string> name_of_child() const
    {
        auto *ib = nm_connection_get_setting_infiniband(profile_);
        const int key = ib ? nm_setting_infiniband_get_p_key(ib) : -1;
        if (key < 0 || str(nm_setting_infiniband_get_parent(ib)) != from_.view()) return std::nullopt;
        if (to_.size() > parent_name_limit) return "";
        return nm_child_name(to_, static_cast<std::uint16_t>(key))->str();
    }

    void follow_interface_name()
    {
        auto *base = nm_connection_get_setting_connection(profile_);
        const auto *name = base ? nm_setting_connection_get_interface_name(base) : nullptr;
        if (!name) return;
        auto to = name_of_child();
        if (!to) to = renamed(name);
        if (to) set(NM_SETTING(base), NM_SETTING_CONNECTION_INTERFACE_NAME, name, *to);
    }

    void follow_parent(NMSetting *setting)
    {
        const auto *property = g_object_class_find_property(G_OBJECT_GET_CLASS(setting), "parent");
        if (!property || property->value_type != G_TYPE_STRING || !(property->flags & G_PARAM_WRITABLE)) return;
        char *value = nullptr;
        g_object_get(setting, "parent", &value, nullptr);
        const Text parent(value);
        if (const auto to = renamed(str(value))) set(setting, "parent", str(value), *to);
    }

    /// Renames "ib0", "|ib0", "&ib0" and "!ib0". Leaves patterns that also match the name to the user.
    void follow_match(NMSettingMatch *match)
    {
        Words names;
        bool any = false;
        for (guint i = 0; i < nm_setting_match_get_num_interface_names(match); i++) {
            names.push_back(str(nm_setting_match_get_interface_name(match, static_cast<int>(i))));
            auto &name = names.back();
            const auto sign = std::min(name.find_first_not_of("|&!"), name.size());
            const auto to = renamed(std::string_view(name).substr(sign));
            if (to) name.replace(sign, std::string::npos, *to);
            any = any || to;
        }
        if (!any) return;
        Edit edit{match_names, text(match), {}};
        nm_setting_match_clear_interface_names(match);
        for (const auto &name : names) nm_setting_match_add_interface_name(match, name.c_str());
        edit.to = text(match);
        edits_.push_back(std::move(edit));
    }

    void follow_bond(NMSettingBond *bond)
    {
        for (const char *option : {NM_SETTING_BOND_OPTION_PRIMARY, NM_SETTING_BOND_OPTION_ACTIVE_SLAVE}) {
            const auto value = str(nm_setting_bond_get_option_by_name(bond, option));
            const auto to = renamed(value);
            if (!to) continue;
            const auto is = std::string(option) + "=";
            edits_.push_back({bond_options, is + value, is + *to});
            nm_setting_bond_add_option(bond, option, to->c_str());
        }
    }

    void set(NMSetting *setting, const char *property, const std::string &from, const std::string &to)
    {
        edits_.push_back({message(untranslated, "{}.{}", nm_setting_get_name(setting), property), from, to});
        g_object_set(setting, property, to.empty() ? nullptr : to.c_str(), nullptr);
    }

    static std::string text(NMSettingMatch *match)
    {
        Words names;
        for (guint i = 0; i < nm_setting_match_get_num_interface_names(match); i++)
            names.emplace_back(nm_setting_match_get_interface_name(match, static_cast<int>(i)));
        return join(names, ",");
    }

    NMConnection *profile_;
    const IfName &from_, &to_;
    std::vector<Edit> edits_{};
};

std::string for_shell(const std::string &word)
{
    const auto is_plain = [](char c) {
        return g_ascii_isalnum(c) || std::string_view("+-._:=,/@%").find(c) != std::string_view::npos;
    };
    if (!word.empty() && std::all_of(word.begin(), word.end(), is_plain)) return word;
    return Text(g_shell_quote(word.c_str())).get();
}

Result<void> each(const Daemon &daemon, const std::function<void(const std::string &path, NMConnection *)> &look)
{
    const auto paths = daemon.profile_paths();
    if (!paths) return paths.error();
    Result<void> read;
    daemon.each_profile_at(*paths, [&](const std::string &path, const Result<Object<NMConnection>> &profile) {
        if (profile)
            look(path, profile->get());
        else if (read)
            read = Error{Error::Kind::denied,
                         form("profile {} cannot be read: {}", path, printable(profile.error().what))};
    });
    return read;
}
} // namespace

std::optional<IfName> follow_name(std::string_view name, const IfName &from, const IfName &to)
{
    if (name == from.view()) return to;
    const auto key = key_in(name, from);
    return key ? nm_child_name(to, *key) : std::nullopt;
}

std::vector<Edit> follow_name(NMConnection *profile, const IfName &from, const IfName &to)
{
    if (from == to) return {};
    return Follower(profile, from, to).follow();
}

std::string line_to_undo(const std::string &uuid, const std::vector<Edit> &edits)
{
    std::string line = "nmcli connection modify " + for_shell(uuid);
    for (const auto &edit : edits) // "+" replaces one option and keeps the others
        line += (edit.property == bond_options ? " +" : " ") + edit.property + " " + for_shell(edit.from);
    return line;
}

bool may_be_for_port(NMConnection *profile, const Guid &port)
{
    auto *ib = nm_connection_get_setting_infiniband(profile);
    if (!ib || nm_setting_infiniband_get_p_key(ib) >= 0) return false;
    const auto *mac = nm_setting_infiniband_get_mac_address(ib);
    const auto address = HwAddr::parse(str(mac));
    return !mac || (address && address->guid() == port);
}

Result<std::vector<NameUser>> profiles_with_name(const Daemon &daemon, const IfName &name, const Guid &port)
{
    std::vector<NameUser> users;
    const auto looked = each(daemon, [&](const std::string &, NMConnection *c) {
        if (str(nm_connection_get_interface_name(c)) != name.view()) return;
        users.push_back({str(nm_connection_get_id(c)), str(nm_connection_get_uuid(c)),
                         str(nm_connection_get_connection_type(c)), may_be_for_port(c, port)});
    });
    if (!looked) return looked.error();
    return users;
}

Result<ProfileMove> ProfileMove::of(const Daemon &daemon, const IfName &from, const IfName &to)
{
    ProfileMove move(daemon, from, to);
    std::vector<Object<NMConnection>> bound;
    const auto looked = each(daemon, [&](const std::string &path, NMConnection *c) {
        auto edits = follow_name(c, from, to);
        if (edits.empty()) return;
        move.bindings_.push_back({str(nm_connection_get_id(c)),
                                  str(nm_connection_get_uuid(c)),
                                  str(nm_connection_get_connection_type(c)),
                                  path,
                                  std::move(edits),
                                  {}});
        bound.push_back(copy_of(c));
    });
    if (!looked) return looked.error();
    for (std::size_t i = 0; i < bound.size(); i++)
        move.bindings_[i].hindrance = hindrance_of(daemon, move.bindings_[i].path, bound[i].get());
    return move;
}

Error ProfileMove::cannot_move(const Binding &b) const
{
    return {Error::Kind::refused,
            form("profile '{}' ({}) is bound to {} and cannot be moved to {}: {}", printable(b.id), b.uuid,
                 printable(from_.view()), printable(to_.view()), printable(b.hindrance))};
}

Result<void> ProfileMove::check() const
{
    for (const auto &b : bindings_)
        if (!b.hindrance.empty()) return cannot_move(b);
    return {};
}

Result<ProfileChange> ProfileMove::prepare(const Binding &binding) const
{
    auto now = binding;
    const auto fails = [&](std::string why) {
        now.hindrance = std::move(why);
        return cannot_move(now);
    };
    auto before = daemon_->profile(binding.path);
    if (!before) return fails(before.error().what);
    auto after = copy_of(before->get());
    auto edits = follow_name(after.get(), from_, to_);
    if (auto why = hindrance_of(*daemon_, binding.path, before->get()); !why.empty()) return fails(std::move(why));
    if (const auto sound = normalized(after.get()); !sound) return fails(sound.error().what);
    return ProfileChange{binding.id,         binding.uuid,     binding.path,
                         std::move(*before), std::move(after), edits.empty() ? "" : line_to_undo(binding.uuid, edits)};
}

Result<void> ProfileMove::make()
{
    if (auto movable = check(); !movable) return movable;
    std::vector<ProfileChange> all;
    for (const auto &b : bindings_) {
        auto one = prepare(b);
        if (!one) return one.error();
        if (!one->to_undo.empty()) all.push_back(std::move(*one)); // empty: another program was faster
    }
    stored_.clear();
    if (auto done = store(*daemon_, all); !done) return done;
    stored_ = std::move(all);
    return {};
}

Words ProfileMove::take_back()
{
    const auto all = std::move(stored_);
    stored_.clear();
    return restore(*daemon_, all);
}

Words ProfileMove::to_go_back() const
{
    Words lines;
    for (const auto &one : stored_) lines.push_back(one.to_undo);
    return lines;
}

} // namespace nmib::cli
