// SPDX-License-Identifier: LGPL-2.1-or-later
/// Finds files of other programs that name a port by its hardware address: .link files with all 20 bytes, of which only
/// the last eight are stable, and udev rules, which override all .link files.
#pragma once
#include "core/base/message.hpp"
#include "core/ib/hwaddr.hpp"
#include "core/name/link_file.hpp"

#include <optional>
#include <span>

namespace nmib
{

struct FragileName {
    /// What would be lost if nm-ib replaced the name.
    enum class Loss {
        none,
        settings,       ///< the file or line does more than name
        conditions,     ///< only for some machines or times
        many_addresses, ///< for more than one port
    };
    std::string name{};                     ///< as written; may be an invalid PortName
    Guid guid{};                            ///< the last 8 bytes of the address
    unsigned first_line = 0, last_line = 0; ///< removed on import; 0: the whole file
    Loss loss = Loss::none;
    std::string lost{}; ///< the first key that would be lost
    bool can_be_forced() const noexcept { return loss == Loss::settings || loss == Loss::conditions; }
};

struct FragileFile {
    bool is_rule = false; ///< a udev rules file; false: a .link file
    std::string path{};
    std::string text{}; ///< as read
    std::vector<FragileName> names{};
};
/// Describes the loss; empty if there is none.
std::string text(const FragileName &name, Translate translate = untranslated);

/// The name in a .link file whose MACAddress= or PermanentMACAddress= has 20 bytes, or the 8 bytes of a GUID, which
/// udev reads as an IPv6 address and never matches. Nullopt for a file of nm-ib.
std::optional<FragileName> fragile_name(const LinkConfig &config);
/// The lines with NAME= and an address in ATTR{address} or ATTRS{address}: all 20 bytes, or the last eight after '*',
/// as in 70-persistent-ipoib.rules.
std::vector<FragileName> fragile_rules(std::string_view text);

/// Returns the text with the lines of these names commented out, with a reason.
std::string without(std::string_view text, std::span<const FragileName> names);

} // namespace nmib
