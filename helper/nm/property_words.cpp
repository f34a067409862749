// SPDX-License-Identifier: LGPL-2.1-or-later
#include "nm/property_words.hpp"

#include <algorithm>
#include <glib.h>

namespace nmib::cli
{

namespace
{
/// nmcli's spellings: an alias, and setting.property, which may be abbreviated, in any case. nmcli refuses ambiguous
/// abbreviations, so the first match is good enough here.
struct Spelling {
    Property property;
    const char *alias, *setting, *name;
};
constexpr Spelling spellings[] = {
    {Property::type, "type", "connection", "type"},
    {Property::id, "con-name", "connection", "id"},
    {Property::uuid, nullptr, "connection", "uuid"},
    {Property::interface_name, "ifname", "connection", "interface-name"},
    {Property::controller, "master", nullptr, nullptr},
    {Property::controller, "controller", nullptr, nullptr},
    {Property::port_type, "slave-type", "connection", "slave-type"},
    {Property::port_type, "port-type", "connection", "port-type"},
    {Property::secondaries, nullptr, "connection", "secondaries"},
    {Property::mac_address, "mac", "infiniband", "mac-address"},
    {Property::mtu, "mtu", "infiniband", "mtu"},
    {Property::p_key, "p-key", "infiniband", "p-key"},
    {Property::parent, "parent", "infiniband", "parent"},
    {Property::save, "save", nullptr, nullptr},
};

bool abbreviates(std::string_view word, const char *name)
{
    return name && !word.empty() && g_ascii_strncasecmp(word.data(), name, word.size()) == 0;
}

std::optional<Property> property_of(std::string_view word)
{
    if (word.starts_with('+') || word.starts_with('-')) word.remove_prefix(1);
    const auto dot = word.find('.');
    for (const auto &s : spellings)
        if (dot == std::string_view::npos
                ? s.alias && word == s.alias
                : abbreviates(word.substr(0, dot), s.setting) && abbreviates(word.substr(dot + 1), s.name))
            return s.property;
    return std::nullopt;
}
} // namespace

PropertyWords::PropertyWords(Words words, Options &options)
{
    for (Args args(std::move(words)); !args.empty();) {
        if (take_own_option(args, options)) continue;
        if (args.front().starts_with("rdma.") && args.left() > 1) {
            auto name = args.take();
            rdma_.emplace_back(std::move(name), args.take());
            options.rdma = true;
            continue;
        }
        const bool single = args.front() == "--"; // other words come in pairs
        const auto property = property_of(words_.emplace_back(args.take()));
        if (single) continue;
        if (args.empty()) pending_ = property;
        if (args.empty()) break;
        if (property) pairs_.push_back({*property, words_.size()});
        words_.push_back(args.take());
    }
}

const std::string *PropertyWords::find(Property property) const
{
    const auto last =
        std::find_if(pairs_.rbegin(), pairs_.rend(), [&](const Pair &p) { return p.property == property; });
    return last == pairs_.rend() ? nullptr : &words_[last->value];
}

bool PropertyWords::sets(Property property) const
{
    const auto *value = find(property);
    return value && !value->empty();
}

bool PropertyWords::is_infiniband() const
{
    const auto *type = find(Property::type);
    return type && type->size() >= 2 && abbreviates(*type, "infiniband");
}

void PropertyWords::name_controller(const std::string &uuid_or_interface, const std::string &type)
{
    const auto controller =
        std::find_if(pairs_.begin(), pairs_.end(), [](const Pair &p) { return p.property == Property::controller; });
    if (controller == pairs_.end()) return;
    const auto at = controller->value - 1;
    words_[at].insert(0, "connection."); // nmcli does not look up this property's value
    words_[at + 1] = uuid_or_interface;
    if (type.empty()) return;
    words_.insert(words_.begin() + static_cast<std::ptrdiff_t>(at) + 2, {"connection.slave-type", type});
    for (auto &pair : pairs_)
        if (pair.value > at + 1) pair.value += 2;
}

} // namespace nmib::cli
