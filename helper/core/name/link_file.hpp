// SPDX-License-Identifier: LGPL-2.1-or-later
/// The .link file that gives a port its name (systemd.link(5)).
#pragma once
#include "core/name/port_name.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nmib
{

/// Any .link file, as udev reads it (systemd 252, conf-parser.c and link-config.c).
struct LinkConfig {
    std::string file{}; ///< file name; udev sorts by name and uses the first match
    std::string path{}; ///< full path, for messages
    std::string text{}; ///< without drop-ins, as read
    struct Entry {
        std::string section, key, value;
    };
    std::vector<Entry> entries{}; ///< in file order; drop-ins last

    /// The effective words of a key: an empty value clears the earlier words. A list has the words of all lines, a
    /// policy those of the last line. Not for the globs of [Match], whose syntax differs: see matches().
    std::vector<std::string> words(std::string_view section, std::string_view key) const;
    /// The last value of a key that is no list; empty if there is none.
    std::string value(std::string_view section, std::string_view key) const;
};

/// Parses comments, continued lines and sections. Returns nullopt if udev refuses the file: a section header has no
/// "]".
std::optional<std::vector<LinkConfig::Entry>> parse_link_config(std::string_view text);

/// The words of a value. Quotes join words; a backslash is kept.
std::vector<std::string> config_words(std::string_view value);

struct LinkFile {
    PortName name;
    PortMatch match;
};

/// "70-nm-infiniband-mlx4_ib0.link": before udev's 73-usb-net-by-mac.link and 99-default.link.
std::string file_name(const PortName &name);
/// The name in a file name of nm-ib; nullopt for other files.
std::optional<PortName> name_in(std::string_view file_name);

/// The whole file, with the alternative names of systemd's 99-default.link, which udev does not read for this port. No
/// value can contain a line break or a bracket: PortName, Guid and IdPath exclude them.
std::string text(const LinkFile &file);
/// Returns true if the checksum in the head matches: detects changes by hand, not forgery.
bool is_untouched(std::string_view file_text);
/// Returns true if nm-ib wrote the file, by its head.
bool is_ours(std::string_view file_text);

} // namespace nmib
