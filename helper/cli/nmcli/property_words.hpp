// SPDX-License-Identifier: LGPL-2.1-or-later
/// The words behind `connection add` and `connection modify PROFILE`. nmcli reads them; this looks at those that the
/// rules of InfiniBand speak of, and takes our own out.
#pragma once
#include "cli/base/options.hpp"

namespace nmib::cli
{

/// The properties that our rules look at, and what is typed for them.
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
    /// Takes --strict, --with-parent and rdma.* words out, and notes in the options that there are some.
    PropertyWords(Words words, Options &options);

    /// The rdma.* words, which nmcli does not know: name and value, in their order.
    const std::vector<std::pair<std::string, std::string>> &rdma() const noexcept { return rdma_; }
    /// As nmcli is given them.
    const Words &all() const noexcept { return words_; }
    /// The last value given for a property, whatever the sign before its name; null where none is.
    const std::string *find(Property property) const;
    bool has(Property property) const { return find(property) != nullptr; }
    /// Is a value given, and not taken away with ""?
    bool sets(Property property) const;
    /// The property at the end whose value is still missing, for completion.
    std::optional<Property> pending() const noexcept { return pending_; }
    /// Do they make an InfiniBand profile? The type may be abbreviated.
    bool is_infiniband() const;
    /// Has a value of this property replaced, wherever it is given; `replace` gives nothing where it stays.
    template<class Replace> void rewrite(Property property, const Replace &replace)
    {
        for (const auto &pair : pairs_)
            if (pair.property == property)
                if (auto value = replace(words_[pair.value])) words_[pair.value] = std::move(*value);
    }
    /// Has `master VALUE` or `controller VALUE`, for which nmcli would look among all profiles, say which one it is:
    /// by UUID or interface, and of which type.
    void name_controller(const std::string &uuid_or_interface, const std::string &type);

private:
    struct Pair {
        Property property;
        std::size_t value; ///< where it stands
    };
    Words words_;
    std::vector<std::pair<std::string, std::string>> rdma_;
    std::vector<Pair> pairs_;
    std::optional<Property> pending_{};
};

} // namespace nmib::cli
