// SPDX-License-Identifier: LGPL-2.1-or-later
/// The names that keyfiles had when they were last read, kept in a file of ours so that thousands of them need not be
/// opened for each command. A keyfile is known by its stamp, whatever it is called and wherever it lies: one that was
/// touched since is simply not found.
#pragma once
#include "cli/daemon/names.hpp"
#include "core/result.hpp"

#include <ctime>
#include <glib.h>

namespace nmib::cli
{

class NameIndex
{
public:
    /// What is kept below `state`; nothing when there is none, or none that can be trusted.
    explicit NameIndex(std::string state);
    /// Quick if asked in the order in which they were kept, as a directory lists them; else some are not found.
    std::optional<Packed> find(const Stamp &stamp, std::string_view file) noexcept;
    /// What was found is valid as long as this is kept.
    std::shared_ptr<const void> kept() const noexcept { return file_; }
    /// There are hardly more.
    std::size_t most() const noexcept { return most_; }
    /// Whether it would keep such a file's names: not when the file was changed in the last second before this was
    /// made, as the stamp need not tell a later change within the same tick.
    bool keeps(const Stamp &stamp) const noexcept;
    /// Keeps them for the next command.
    Result<void> keep(const Names &names) const;

private:
    std::string state_;
    std::time_t made_ = std::time(nullptr);
    std::shared_ptr<GMappedFile> file_;
    std::string_view rest_{}; ///< behind the last that was found
    std::size_t most_ = 0;
};

} // namespace nmib::cli
