// SPDX-License-Identifier: LGPL-2.1-or-later
/// The .link file of ours that gives one port its name (systemd.link(5)).
#pragma once
#include "core/name/port_name.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nmib
{

// Any .link file, ours or not, as udev reads it (systemd 252, conf-parser.c and link-config.c).

struct LinkConfig {
    std::string file{}; ///< its name; udev takes the first that matches, in the order of names
    std::string path{}; ///< where it lies, for messages
    std::string text{}; ///< the file alone, as it was read
    /// One `key=value`.
    struct Entry {
        std::string section, key, value;
    };
    std::vector<Entry> entries{}; ///< in their order; those of drop-ins at the end

    /// What a key is in the end: an empty value takes back what stood before it. Words of a list, from all its lines;
    /// of a policy from the last one alone. Not for the globs of [Match], which have a grammar of their own: matches().
    std::vector<std::string> words(std::string_view section, std::string_view key) const;
    /// The last value of a key that is no list, or an empty one.
    std::string value(std::string_view section, std::string_view key) const;
};

/// Comments, line continuations and sections; lines that udev ignores are left out. Nothing when udev refuses the whole
/// file, for a section without an end.
std::optional<std::vector<LinkConfig::Entry>> parse_link_config(std::string_view text);

/// The words of a value; quotes hold a word together. A backslash stays as it is.
std::vector<std::string> config_words(std::string_view value);

struct LinkFile {
    PortName name;
    PortMatch match;
};

/// "70-nm-infiniband-mlx4_ib0.link": in front of udev's own 73-usb-net-by-mac.link and 99-default.link.
std::string file_name(const PortName &name);
/// The name in such a file name; nothing when it is not of our form.
std::optional<PortName> name_in(std::string_view file_name);

/// The whole file, with the alternative names of systemd's 99-default.link, which udev no longer reads for this port.
/// What is put into it cannot hold a line break or a bracket: PortName, Guid, IdPath and HwAddr have no
/// such values.
std::string text(const LinkFile &file);
/// Whether a file is as text() made it, by the checksum in its head. It finds a change by hand, not a forger.
bool is_untouched(std::string_view file_text);
/// Whether it says in its head that we wrote it.
bool is_ours(std::string_view file_text);

} // namespace nmib
