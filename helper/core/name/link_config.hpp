// SPDX-License-Identifier: LGPL-2.1-or-later
/// Any .link file, ours or not, as udev reads it (systemd 252, conf-parser.c and link-config.c).
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nmib
{

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

} // namespace nmib
