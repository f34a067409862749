// SPDX-License-Identifier: LGPL-2.1-or-later
/// The names that keyfiles had when they were last read, kept in a file of ours so that thousands of them need not be
/// opened for each command. A keyfile is known by its stamp, whatever it is called and wherever it lies: one that was
/// touched since is simply not found.
#pragma once
#include "cli/names.hpp"
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
    /// Keeps the names for the next command, all but those of files that were changed in the last second before
    /// `read`: the stamp need not tell a later change within the same tick.
    Result<void> keep(const Names &names, std::time_t read) const;

private:
    std::string state_;
    std::shared_ptr<GMappedFile> file_;
    std::string_view rest_{}; ///< behind the last that was found
    std::size_t most_ = 0;
};

} // namespace nmib::cli
