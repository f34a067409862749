// SPDX-License-Identifier: LGPL-2.1-or-later
/// The values in systemd's configuration files, as systemd 252 takes them apart.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nmib
{

/// What quotes and backslashes mean in a value; it depends on the key (extract-word.c, extract_first_word).
enum class Quoting {
    none,      ///< quotes are characters; a backslash takes the next character as it is (names, addresses)
    quotes,    ///< quotes hold a word together; a backslash is a character, for the glob (Type=, Path= ...)
    c_escapes, ///< quotes hold a word together; a backslash begins an escape of C (Property=)
};

/// The words of a value, up to the first that is spelled wrong: an open quote, an escape that is none.
std::vector<std::string> config_words(std::string_view value, Quoting quoting);

/// Without overlong forms, surrogates and noncharacters (utf8.c, utf8_is_valid). systemd refuses a whole file for one
/// line that is none.
bool is_utf8(std::string_view text) noexcept;

/// 4, 6, 16 or 20 bytes, in groups of one byte between ':' or '-', or of two between '.', or an IP address; leading
/// zeros may be missing (ether-addr-util.c, parse_hw_addr_full). Nothing when systemd ignores the word.
std::optional<std::vector<std::uint8_t>> parse_link_address(const std::string &word);

/// Whether systemd takes a word for an interface name, or a glob for some (socket-util.c, ifname_valid_full).
bool is_link_name(std::string_view word) noexcept;

} // namespace nmib
