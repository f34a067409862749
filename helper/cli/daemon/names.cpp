// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/daemon/names.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <unordered_set>

namespace nmib::cli
{

namespace
{
using Texts = std::array<std::string_view Name::*, 5>;
constexpr Texts texts = {&Name::uuid, &Name::id, &Name::interface, &Name::type, &Name::place};

/// In front of the texts.
struct Head {
    Stamp stamp;
    std::array<std::uint32_t, texts.size()> length;
};

Head head_of(std::string_view bytes) noexcept
{
    Head head;
    std::memcpy(&head, bytes.data(), sizeof head);
    return head;
}
} // namespace

bool Name::is_file(std::string_view whole) const noexcept
{
    return !directory.empty() && whole.size() == directory.size() + 1 + place.size() && whole.starts_with(directory) &&
           whole.ends_with(place) && whole[directory.size()] == '/';
}

Known Name::known() const
{
    Known k{std::string(uuid), std::string(id), std::string(interface), std::string(type)};
    if (directory.empty())
        k.path = place;
    else
        k.file = std::string(directory) + "/" + std::string(place);
    return k;
}

std::optional<Packed> Packed::at(std::string_view text) noexcept
{
    if (text.size() < sizeof(Head)) return std::nullopt;
    std::uint64_t size = sizeof(Head);
    for (const auto n : head_of(text).length) size += n;
    if (size > text.size()) return std::nullopt;
    return Packed(text.substr(0, static_cast<std::size_t>(size)));
}

std::size_t Packed::size(const Name &name) noexcept
{
    std::size_t size = sizeof(Head);
    for (const auto part : texts) size += (name.*part).size();
    return size;
}

Packed::Packed(char *to, const Stamp &stamp, const Name &name) noexcept : bytes_(to, size(name))
{
    Head head{stamp, {}};
    auto *end = to + sizeof head;
    for (std::size_t i = 0; i < texts.size(); i++) {
        const auto text = name.*texts[i];
        head.length[i] = static_cast<std::uint32_t>(text.size());
        end = std::copy(text.begin(), text.end(), end);
    }
    std::memcpy(to, &head, sizeof head);
}

Stamp Packed::stamp() const noexcept { return head_of(bytes_).stamp; }

Name Packed::name() const noexcept
{
    const auto head = head_of(bytes_);
    Name n;
    std::size_t at = sizeof head;
    for (std::size_t i = 0; i < texts.size(); at += head.length[i++]) n.*texts[i] = bytes_.substr(at, head.length[i]);
    return n;
}

std::optional<Name> find_name(const Names &names, std::string_view Name::*part, std::string_view value) noexcept
{
    const auto it = std::find_if(names.begin(), names.end(), [&](const Name &n) { return n.*part == value; });
    return it == names.end() ? std::nullopt : std::optional(*it);
}

Name Names::name(const Entry &entry) const noexcept
{
    auto n = entry.packed.name();
    if (entry.directory > 0) n.directory = directories_[entry.directory - 1];
    return n;
}

void Names::add(const Name &name, const Stamp &stamp)
{
    add(Packed(static_cast<char *>(texts_->allocate(Packed::size(name), 1)), stamp, name));
}

void Names::add(const Packed &packed) { all_.push_back({packed, static_cast<unsigned>(directories_.size())}); }

void Names::drop(std::string_view uuid)
{
    std::erase_if(all_, [&](const Entry &e) { return e.packed.name().uuid == uuid; });
}

void Names::drop_hidden(std::size_t first)
{
    if (first == 0 || first == all_.size()) return;
    std::unordered_set<std::string_view> seen;
    for (std::size_t i = 0; i < first; i++) seen.insert(all_[i].packed.name().uuid);
    all_.erase(std::remove_if(all_.begin() + static_cast<std::ptrdiff_t>(first), all_.end(),
                              [&](const Entry &e) { return seen.contains(e.packed.name().uuid); }),
               all_.end());
}

} // namespace nmib::cli
