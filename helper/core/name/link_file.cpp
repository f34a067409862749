// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/name/link_file.hpp"

#include "core/base/checksum.hpp"

namespace nmib
{

namespace
{
constexpr std::string_view prefix = "70-nm-infiniband-", suffix = ".link";
constexpr std::string_view head = "# Written by nm-ib: ";

std::string conditions(const PortMatch &match)
{
    if (const auto *m = std::get_if<ByGuid>(&match)) return "Property=ID_IPOIB_ADDRESS=*:" + m->guid.bytes() + "\n";
    const auto &m = std::get<ByPath>(match);
    return "Property=ID_PATH=" + m.path.str() + "\nProperty=ID_IPOIB_DEV_PORT=" + std::to_string(m.port - 1) + "\n";
}
} // namespace

std::string file_name(const PortName &name) { return std::string(prefix) + name.str() + std::string(suffix); }

std::optional<PortName> name_in(std::string_view file)
{
    if (!file.starts_with(prefix) || !file.ends_with(suffix) || file.size() < prefix.size() + suffix.size()) return {};
    return PortName::parse(file.substr(prefix.size(), file.size() - prefix.size() - suffix.size()));
}

std::string text(const LinkFile &file)
{
    const auto name = file.name.str();
    const bool by_number = std::holds_alternative<ByPath>(file.match);
    const auto first = std::string(head) + "the InfiniBand " + (by_number ? "" : "port with ") + text(file.match) +
                       " is called " + name + ".\n# To take this away: nm-ib name unset " + name + "\n";
    return with_checksum(first, "\n[Match]\nType=infiniband\n" + conditions(file.match) + "\n[Link]\nName=" + name +
                                    "\nAlternativeNamesPolicy=database onboard slot path\n");
}

bool is_untouched(std::string_view text) { return is_ours(text) && checksum_holds(text); }

bool is_ours(std::string_view text) { return text.starts_with(head); }

} // namespace nmib
