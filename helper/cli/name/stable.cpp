// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/name/stable.hpp"

#include "cli/name/world.hpp"
#include "cli/name/writing.hpp"
#include "core/link_file/name_state.hpp"
#include "core/printable.hpp"
#include "probe/dir.hpp"

#include <algorithm>

namespace nmib::cli
{

namespace
{
bool any_name_given()
{
    const auto dir = Dir::open(std::string(link_directory));
    const auto files = dir ? dir->list() : Result<Words>(dir.error());
    return files && std::any_of(files->begin(), files->end(), [](const auto &f) { return bool(name_in(f)); });
}

class Stable
{
public:
    Stable(Draft &draft, NamingWorld world) : draft_(draft), world_(std::move(world)), states_(name_states(world_)) {}

    Words take()
    {
        follow(Property::interface_name, "connection.interface-name", NM_SETTING(draft_.base()), "interface-name",
               nm_setting_connection_get_interface_name(draft_.base()));
        follow(Property::parent, "infiniband.parent", NM_SETTING(draft_.infiniband()), "parent",
               nm_setting_infiniband_get_parent(draft_.infiniband()));
        from_address();
        return std::move(lines_);
    }

private:
    void set(NMSetting *setting, const char *property, const char *full, const std::string &value, const char *why)
    {
        g_object_set(setting, property, value.c_str(), nullptr);
        lines_.push_back(form(_("%s set to %s: %s"), full, value.c_str(), why));
    }

    /// A name that was typed.
    void follow(Property which, const char *full, NMSetting *setting, const char *property, const char *typed)
    {
        if (!typed || !draft_.typed.has(which)) return;
        for (const auto &port : world_.ports) {
            if (!port.interface) continue;
            const auto &i = *port.interface;
            if (std::find(i.alternative_names.begin(), i.alternative_names.end(), typed) != i.alternative_names.end())
                return set(setting, property, full, i.name.str(),
                           _("what was typed is only an alternative name, which NetworkManager does not look at"));
            const auto *state = find_state(states_, port);
            if (i.name.view() == typed && state && state->code == NameState::Code::next_boot) {
                lines_.push_back(form(_("%s will be called %s at the next boot, and the profile will not find the port "
                                        "then; to rename both together: nm-ib name set %s %s --now"),
                                      i.name.c_str(), state->name.str().c_str(), i.name.c_str(),
                                      state->name.str().c_str()));
                return;
            }
        }
    }

    /// A port's mac-address, and no interface-name.
    void from_address()
    {
        auto *ib = draft_.infiniband();
        const auto *text = nm_setting_infiniband_get_mac_address(ib);
        const auto address = text ? HwAddr::parse(text) : std::nullopt;
        if (!address || nm_setting_infiniband_get_p_key(ib) >= 0 ||
            nm_setting_connection_get_interface_name(draft_.base()) || draft_.typed.has(Property::interface_name) ||
            !draft_.typed.has(Property::mac_address))
            return;
        for (const auto &port : world_.ports) {
            const auto *state = port.guid == address->guid() ? find_state(states_, port) : nullptr;
            if (state && state->holds())
                return set(NM_SETTING(draft_.base()), "interface-name", "connection.interface-name", state->name.str(),
                           _("the name of the port with that mac-address"));
        }
    }

    Draft &draft_;
    NamingWorld world_;
    std::vector<NameState> states_;
    Words lines_{};
};
} // namespace

Words take_stable_names(Draft &draft)
{
    if (draft.offline || !draft.infiniband() || !any_name_given()) return {};
    auto world = read_naming_world();
    if (!world) return {};
    return Stable(draft, std::move(*world)).take();
}

} // namespace nmib::cli
