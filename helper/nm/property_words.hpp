// SPDX-License-Identifier: LGPL-2.1-or-later
/// The words after `connection add` and `connection modify PROFILE`, for nmcli. Finds the properties that InfiniBand's
/// rules use, and removes nm-ib's own words.
#pragma once
#include "terminal/options.hpp"

namespace nmib::cli
{

/// The properties that InfiniBand's rules use.
enum class Property {
    type,
    id,
    uuid,
    interface_name,
    controller,
    port_type,
    secondaries,
    mac_address,
    mtu,
    p_key,
    parent,
    save
};

class PropertyWords
{
public:
    /// Removes nm-ib's options and rdma.* words, and records them in `options`.
    PropertyWords(Words words, Options &options);

    /// Returns the rdma.* words in typed order: name and value.
    const std::vector<std::pair<std::string, std::string>> &rdma() const noexcept { return rdma_; }
    /// For nmcli.
    const Words &all() const noexcept { return words_; }
    /// Returns the last value of a property, with or without a sign before the name; null if not typed.
    const std::string *find(Property property) const;
    bool has(Property property) const { return find(property) != nullptr; }
    /// Returns true if the last value is not "".
    bool sets(Property property) const;
    /// Returns the last property if the value is missing, for completion.
    std::optional<Property> pending() const noexcept { return pending_; }
    /// Returns true if the words make an InfiniBand profile. The type may be abbreviated.
    bool is_infiniband() const;
    /// Replaces each value of the property for which `replace` returns a value.
    template<class Replace> void rewrite(Property property, const Replace &replace)
    {
        for (const auto &pair : pairs_)
            if (pair.property == property)
                if (auto value = replace(words_[pair.value])) words_[pair.value] = std::move(*value);
    }
    /// Replaces the value of `master` or `controller`, which nmcli would look up in all profiles, by UUID or interface,
    /// and adds the type.
    void name_controller(const std::string &uuid_or_interface, const std::string &type);

private:
    struct Pair {
        Property property;
        std::size_t value; ///< index in words_
    };
    Words words_;
    std::vector<std::pair<std::string, std::string>> rdma_;
    std::vector<Pair> pairs_;
    std::optional<Property> pending_{};
};

} // namespace nmib::cli
