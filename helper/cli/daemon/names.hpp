// SPDX-License-Identifier: LGPL-2.1-or-later
/// What profiles are called, thousands of them in little space and time: packed, and so kept in the index.
#pragma once
#include "probe/stamp.hpp"

#include <iterator>
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

/// The names of one profile.
struct Name {
    std::string_view uuid, id, interface, type;
    std::string_view place{};     ///< of a keyfile its name, else the D-Bus object
    std::string_view directory{}; ///< of the keyfile
    /// Whether `whole` is the absolute file name.
    bool is_file(std::string_view whole) const noexcept;
    Known known() const;
};

/// A keyfile's stamp and the names in it, in one piece of memory; the directory is not in it.
class Packed
{
public:
    /// The piece that `text` begins with. Nothing when it is cut off.
    static std::optional<Packed> at(std::string_view text) noexcept;
    static std::size_t size(const Name &name) noexcept;
    /// Writes to `to`, where there is room.
    Packed(char *to, const Stamp &stamp, const Name &name) noexcept;

    std::string_view bytes() const noexcept { return bytes_; }
    Stamp stamp() const noexcept;
    Name name() const noexcept;

private:
    explicit Packed(std::string_view bytes) : bytes_(bytes) {}
    std::string_view bytes_;
};

/// Those of any number of profiles.
class Names
{
public:
    struct Entry {
        Packed packed;
        unsigned directory;
    };
    class Iterator
    {
    public:
        using iterator_category = std::input_iterator_tag;
        using value_type = Name;
        using difference_type = std::ptrdiff_t;
        using pointer = void;
        using reference = Name;

        Iterator(const Names &names, const Entry *at) : names_(&names), at_(at) {}
        Name operator*() const noexcept { return names_->name(*at_); }
        Iterator &operator++() noexcept { return ++at_, *this; }
        bool operator==(const Iterator &other) const noexcept { return at_ == other.at_; }

    private:
        const Names *names_;
        const Entry *at_;
    };

    /// `kept` holds what is added without being copied.
    explicit Names(std::shared_ptr<const void> kept = {}) : kept_(std::move(kept)) {}
    /// Makes room for so many.
    void expect(std::size_t count) { all_.reserve(count); }
    /// Those that follow are of this directory.
    void enter(const std::string &directory) { directories_.push_back(directory); }
    void add(const Name &name, const Stamp &stamp = {});
    /// Without copying it.
    void add(const Packed &packed);

    void drop(std::string_view uuid);
    /// Forgets those from the position `first` on whose uuid is among those before it.
    void drop_hidden(std::size_t first);

    Iterator begin() const noexcept { return {*this, all_.data()}; }
    Iterator end() const noexcept { return {*this, all_.data() + all_.size()}; }
    const std::vector<Entry> &entries() const noexcept { return all_; }
    std::size_t size() const noexcept { return all_.size(); }

private:
    Name name(const Entry &entry) const noexcept;

    std::shared_ptr<const void> kept_;
    std::unique_ptr<std::pmr::monotonic_buffer_resource> texts_ =
        std::make_unique<std::pmr::monotonic_buffer_resource>(4096);
    std::vector<std::string> directories_;
    std::vector<Entry> all_;
};

/// The first whose `part` is `value`.
std::optional<Name> find_name(const Names &names, std::string_view Name::*part, std::string_view value) noexcept;

} // namespace nmib::cli
