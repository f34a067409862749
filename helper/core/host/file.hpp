// SPDX-License-Identifier: LGPL-2.1-or-later
/// A file of ours in the directory of the program that reads it.
#pragma once
#include <string>
#include <string_view>

namespace nmib
{

struct HostFile {
    std::string directory{}, name{};
    std::string text{};
    bool own_directory = false; ///< it is made where it is missing, and goes when it is empty: the drop-ins of a unit
    std::string path() const { return directory + "/" + name; }
};

/// The whole text. `command` is what stands behind "nm-ib host", `undo` what takes it back.
std::string host_text(std::string_view command, std::string_view undo, std::string_view body);
/// Whether nm-ib host wrote it, by its first line.
bool is_host_file(std::string_view text) noexcept;
/// The `command` in the first line; empty where it is none of ours.
std::string_view host_command(std::string_view text) noexcept;

} // namespace nmib
