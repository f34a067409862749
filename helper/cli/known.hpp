// SPDX-License-Identifier: LGPL-2.1-or-later
/// The other profiles, as far as their names matter. Read from NetworkManager's keyfiles: asking the daemon for
/// thousands of profiles takes seconds.
#pragma once
#include <memory>
#include <memory_resource>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nmib::cli
{

struct Known {
    std::string uuid, id, interface, type;
    std::string file{}; ///< absolute
    std::string path{}; ///< D-Bus object, as far as it is known
};

/// Thousands of them in little space and time.
class Names
{
public:
    struct Name {
        std::string_view uuid, id, interface, type;
        std::string_view directory{}, file{};
        std::string_view path{};
        /// Whether `whole` is the absolute file name.
        bool is_file(std::string_view whole) const noexcept;
        Known known() const;
    };

    void add(const Name &name);
    /// `connection` group of one keyfile. False when it has no uuid, id or type of its own, so that only the daemon
    /// knows it.
    bool add_keyfile(std::string_view text, std::string_view directory, std::string_view file);

    void drop(std::string_view uuid);
    /// Forgets those from the position `first` on whose uuid is among those before it.
    void drop_hidden(std::size_t first);

    auto begin() const noexcept { return all_.begin(); }
    auto end() const noexcept { return all_.end(); }
    std::size_t size() const noexcept { return all_.size(); }

private:
    std::string_view keep(std::string_view text);
    std::unique_ptr<std::pmr::monotonic_buffer_resource> texts_ =
        std::make_unique<std::pmr::monotonic_buffer_resource>(65536);
    std::vector<Name> all_;
};

/// Every keyfile in the directories, of which earlier ones win. Nothing when one cannot be read: then only the daemon
/// knows. What is read is kept below `state`, if it is worth that, and found there by the next.
std::optional<Names> scan_names(const std::vector<std::string> &directories, const std::string &state);
std::optional<Names> scan_names(const std::vector<std::string> &directories);
/// The same, by file name.
std::optional<std::vector<Known>> scan_profiles(const std::vector<std::string> &directories);
/// The uuid in the file that NetworkManager would have made for a profile of this name, if it is one. A guess: there
/// may be others of the name.
std::optional<std::string> guess_uuid(const std::vector<std::string> &directories, const std::string &id);
/// Where NetworkManager keeps them, unless nm.conf says otherwise; what is only in memory hides what is stored.
std::vector<std::string> profile_directories();

} // namespace nmib::cli
