// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/name/port_name.hpp"

#include "core/base/message.hpp"
#include "core/base/text.hpp"
#include "core/ib/ifname.hpp"

#include <algorithm>

namespace nmib
{

std::optional<IdPath> IdPath::parse(std::string_view text)
{
    const auto is_good = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == ':' ||
               c == '_' || c == '-';
    };
    if (text.empty() || text.size() > 128 || !std::all_of(text.begin(), text.end(), is_good)) return {};
    return IdPath(std::string(text));
}

std::string text(const PortMatch &match)
{
    if (const auto *m = std::get_if<ByGuid>(&match)) return "GUID " + m->guid.str();
    const auto &m = std::get<ByPath>(match);
    return "port " + std::to_string(m.port) + " at " + m.path.str();
}

bool matches(const PortMatch &match, const PortIdentity &port)
{
    if (const auto *m = std::get_if<ByGuid>(&match)) return m->guid == port.guid;
    const auto &m = std::get<ByPath>(match);
    // Without an interface, udev has no properties of the port.
    return m.port == port.number && m.path.str() == (port.interface ? port.property("ID_PATH") : "pci-" + port.bus);
}

namespace
{
bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
bool is_hex_digit(char c) noexcept { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
bool is_letter(char c) noexcept { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_first(char c) noexcept { return is_letter(c) || is_digit(c) || c == '_'; }

bool all_of(std::string_view text, bool (*is)(char) noexcept)
{
    return !text.empty() && std::all_of(text.begin(), text.end(), is);
}

const char *words(NameFault f) noexcept
{
    switch (f) {
    case NameFault::spelling:
        return N_("'{name}' is not a name for a port: a name has 1 to 10 letters, digits, '_', '-' "
                  "and '.', and begins with a letter, a digit or '_'");
    case NameFault::only_digits:
        return N_("'{name}' is not a name for a port: udev refuses a name with digits only. Use another name");
    case NameFault::reserved:
        return N_("'{name}' is not a name for a port: the kernel uses it for its settings for all "
                  "interfaces. Use another name");
    case NameFault::kernel_like:
        return N_("'{name}' is not a stable name: the kernel gives such names itself, and a rename "
                  "fails while another port has the name. Use another name, such as 'mlx_{name}'");
    case NameFault::child_like:
        return N_("'{name}' is not a name for a port: it ends like the name of a P_Key child, in "
                  "'.' and four hexadecimal digits. Use another name");
    case NameFault::too_long:
        return N_("'{name}' has more than 10 characters: kernel and NetworkManager would name its "
                  "P_Key children differently. Use a shorter name, or --force for a port without children");
    }
    return "";
}
} // namespace

std::optional<PortName> PortName::parse(std::string_view text) noexcept
{
    const auto is_good = [](char c) { return is_first(c) || c == '-' || c == '.'; };
    if (text.empty() || !is_first(text.front()) || !std::all_of(text.begin(), text.end(), is_good)) return {};
    const auto name = IfName::parse(text);
    return name ? std::optional(PortName(*name)) : std::nullopt;
}

std::optional<NameFault> fault(std::string_view text) noexcept
{
    if (!PortName::parse(text)) return NameFault::spelling;
    if (all_of(text, is_digit)) return NameFault::only_digits;
    if (text == "all" || text == "default") return NameFault::reserved;
    if (text.starts_with("ib") && all_of(text.substr(2), is_digit)) return NameFault::kernel_like;
    const auto dot = text.rfind('.');
    if (dot != text.npos && text.size() - dot == 5 && all_of(text.substr(dot + 1), is_hex_digit))
        return NameFault::child_like;
    if (text.size() > parent_name_limit) return NameFault::too_long;
    return {};
}

std::string text(NameFault fault, std::string_view name, Translate translate)
{
    return message(translate, words(fault), fmt::arg("name", printable(name)));
}

} // namespace nmib
