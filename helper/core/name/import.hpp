// SPDX-License-Identifier: LGPL-2.1-or-later
/// Files of others that give a port its name by its address: by all 20 bytes, of which only the last eight stay, or by
/// those in a udev rule, which overrules every .link file.
#pragma once
#include "core/base/message.hpp"
#include "core/ib/hwaddr.hpp"
#include "core/name/link_file.hpp"

#include <optional>
#include <span>

namespace nmib
{

/// One name in such a file.
struct FragileName {
    /// Why it cannot be replaced without losing something.
    enum class Loss {
        none,
        settings,       ///< the file or line does more than to name
        conditions,     ///< it is not for every machine, or not for every time
        many_addresses, ///< it is for more than one port
    };
    std::string name{};                     ///< as it stands there; it may be none that a port can have
    Guid guid{};                            ///< the last 8 bytes of the address
    unsigned first_line = 0, last_line = 0; ///< what goes when it is replaced; 0: the whole file
    Loss loss = Loss::none;
    std::string lost{}; ///< the first key that would be lost
    /// --force goes on all the same.
    bool can_be_forced() const noexcept { return loss == Loss::settings || loss == Loss::conditions; }
};

struct FragileFile {
    bool is_rule = false; ///< of udev; else a .link file
    std::string path{};
    std::string text{}; ///< as it was when it was read
    std::vector<FragileName> names{};
};
/// Why it is better left as it is; empty where nothing is lost.
std::string text(const FragileName &name, Translate translate = untranslated);

/// A .link file with MACAddress= or PermanentMACAddress= of 20 bytes, or of the 8 of a GUID, which udev takes for an
/// IPv6 address and never finds. Files of ours are none.
std::optional<FragileName> fragile_name(const LinkConfig &config);
/// Lines with NAME= and an address in ATTR{address} or ATTRS{address}, all 20 bytes or the last eight behind '*', as
/// in 70-persistent-ipoib.rules.
std::vector<FragileName> fragile_rules(std::string_view text);

/// The text with the lines of these names as comments, which say what became of them. Nothing else is changed.
std::string without(std::string_view text, std::span<const FragileName> names);

} // namespace nmib
