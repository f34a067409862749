// SPDX-License-Identifier: LGPL-2.1-or-later
/// The .link file of ours that gives one port its name (systemd.link(5)).
#pragma once
#include "core/link_file/port_match.hpp"
#include "core/link_file/port_name.hpp"

#include <span>

namespace nmib
{

/// Where alternative names come from (systemd.link(5), AlternativeNamesPolicy=).
enum class NamesPolicy { database, onboard, slot, path, mac };
std::string_view word(NamesPolicy policy) noexcept;
std::optional<NamesPolicy> parse_names_policy(std::string_view word) noexcept;

struct LinkFile {
    PortName name;
    PortMatch match;
    std::vector<NamesPolicy> alternative_names{}; ///< without repetition; none: no such line
    std::optional<PortName> old_name{};           ///< kept as an alternative name
};

/// "70-nm-infiniband-mlx4_ib0.link": in front of udev's own 73-usb-net-by-mac.link and 99-default.link.
std::string file_name(const PortName &name);
/// The name in such a file name; nothing when it is not of our form.
std::optional<PortName> name_in(std::string_view file_name);

/// The whole file. What is put into it cannot hold a line break or a bracket: PortName, Guid, IdPath and HwAddr have no
/// such values.
std::string text(const LinkFile &file);
/// Whether a file is as text() made it, by the checksum in its head. It finds a change by hand, not a forger.
bool is_untouched(std::string_view file_text);
/// Whether it says in its head that we wrote it.
bool is_ours(std::string_view file_text);

} // namespace nmib
