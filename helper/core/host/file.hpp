// SPDX-License-Identifier: LGPL-2.1-or-later
/// A file that nm-ib host writes for another program.
#pragma once
#include <string>
#include <string_view>

namespace nmib
{

struct HostFile {
    std::string directory{}, name{};
    std::string text{};
    bool own_directory = false; ///< made if missing and removed if empty, e.g. a unit's drop-in directory
    std::string path() const { return directory + "/" + name; }
};

/// Returns the whole text. `command` and `undo` are the words after "nm-ib host".
std::string host_text(std::string_view command, std::string_view undo, std::string_view body);
/// Returns true if nm-ib host wrote the file, by its first line.
bool is_host_file(std::string_view text) noexcept;
/// The `command` in the first line; empty in another program's file.
std::string_view host_command(std::string_view text) noexcept;

} // namespace nmib
