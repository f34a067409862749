// SPDX-License-Identifier: LGPL-2.1-or-later
/// What only InfiniBand has: 20-byte addresses and partition keys, and the rows of the setting.
#include "cli/base/gobject.hpp"
#include "cli/kinds.hpp"
#include "cli/rows.hpp"
#include "core/hwaddr.hpp"

namespace nmib::cli
{

namespace kind
{

namespace
{
/// An address with the GUID in it, in the default subnet; NetworkManager compares the GUID only.
std::optional<std::string> address_of_guid(const char *text)
{
    std::string hex;
    const std::string_view word = text;
    for (const char c : word.substr(word.starts_with("0x") || word.starts_with("0X") ? 2 : 0)) {
        if (c == ':' || c == '-') continue;
        if (!g_ascii_isxdigit(c)) return std::nullopt;
        hex += static_cast<char>(g_ascii_toupper(c));
    }
    if (hex.size() != 16) return std::nullopt;
    std::string address = "80:00:00:00:FE:80:00:00:00:00:00:00";
    for (std::size_t i = 0; i < hex.size(); i += 2) address += ":" + hex.substr(i, 2);
    return address;
}

Result<void> set_mac(const Row &row, NMSetting *setting, Op, const char *value, const Surroundings &around)
{
    if (!value) {
        reset(setting, row.name);
        return {};
    }
    if (nm_utils_hwaddr_valid(value, HwAddr::size)) {
        g_object_set(setting, row.name, value, nullptr);
        return {};
    }
    if (const auto address = address_of_guid(value)) {
        g_object_set(setting, row.name, address->c_str(), nullptr);
        around.tell(form(_("port GUID %s stored as %s"), value, address->c_str()));
        return {};
    }
    return bad(form(nm("'%s' is not a valid Ethernet MAC"), value));
}

Result<void> set_p_key(const Row &row, NMSetting *setting, Op, const char *value, const Surroundings &)
{
    if (!value) {
        reset(setting, row.name);
        return {};
    }
    std::int64_t key = -1;
    if (std::string_view(value) != "default") {
        const auto n = to_number<std::int64_t>(value, 0, -1, 0xffff); // "010" is octal, as with nmcli
        if (!n) return bad(form(nm("'%s' is not a valid IBoIP P_Key"), value));
        key = *n;
    }
    g_object_set(setting, row.name, static_cast<int>(key), nullptr);
    return {};
}

std::string get_p_key(const Row &, NMSetting *setting, Style style)
{
    const int key = nm_setting_infiniband_get_p_key(NM_SETTING_INFINIBAND(setting));
    if (key == -1) return style == Style::pretty ? nm("default") : "default";
    return form("0x%04x", static_cast<unsigned>(key));
}
} // namespace

const Kind mac{.set = set_mac, .get = get_text};
const Kind p_key{.set = set_p_key, .get = get_p_key};

} // namespace kind

namespace
{
constexpr const char *const modes[] = {"datagram", "connected"};
const Row rows[] = {
    {.name = "mac-address", .kind = &kind::mac, .alias = "mac", .prompt = "MAC [none]"},
    {.name = "mtu", .kind = &kind::mtu, .alias = "mtu", .prompt = "MTU"},
    {.name = "transport-mode",
     .kind = &kind::text,
     .alias = "transport-mode",
     .prompt = "Transport mode",
     .hint = "(datagram/connected) [datagram]",
     .choices = modes},
    {.name = "p-key", .kind = &kind::p_key, .alias = "p-key", .prompt = "P_KEY [none]"},
    {.name = "parent", .kind = &kind::text, .alias = "parent", .prompt = "Parent interface [none]"},
};
void init(NMSetting *setting) { g_object_set(setting, "transport-mode", "datagram", nullptr); }
} // namespace

const Group infiniband_group{"infiniband", "InfiniBand connection", nm_setting_infiniband_get_type, rows, init};

} // namespace nmib::cli
