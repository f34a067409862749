// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/nameindex.hpp"

#include "apply/file.hpp"

namespace nmib::cli
{

namespace
{
constexpr const char *file_name = "names";
constexpr std::string_view title = "nm-ib names 2\n"; // then what is packed, for this machine until it is started again
constexpr std::size_t largest = 64 << 20;
} // namespace

NameIndex::NameIndex(std::string state) : state_(std::move(state))
{
    const auto dir = Dir::open(state_);
    auto text = dir ? dir->read_trusted(file_name, largest) : Result<std::string>(dir.error());
    if (!text || !text->starts_with(title)) text = std::string(title);
    text_ = std::make_shared<const std::string>(std::move(*text));
    next_ = title.size();
}

std::optional<Packed> NameIndex::find(const Stamp &stamp, std::string_view file) noexcept
{
    constexpr int most_gone = 16; // files that were kept and are there no more, between one and the next
    auto rest = std::string_view(*text_).substr(next_);
    for (int i = 0; i <= most_gone; i++) {
        const auto one = Packed::at(rest);
        if (!one) break;
        rest.remove_prefix(one->bytes().size());
        if (one->stamp() != stamp || one->name().place != file) continue;
        next_ = text_->size() - rest.size();
        return one;
    }
    return std::nullopt;
}

std::size_t NameIndex::most() const noexcept
{
    const auto first = Packed::at(std::string_view(*text_).substr(title.size()));
    return first ? text_->size() * 5 / 4 / first->bytes().size() : 0;
}

Result<void> NameIndex::keep(const Names &names, std::time_t read) const
{
    std::string text(title);
    const auto fresh = (static_cast<std::uint64_t>(read) - 1) * 1'000'000'000;
    for (const auto &entry : names.entries())
        if (const auto changed = entry.packed.stamp().changed; changed > 0 && changed < fresh)
            text += entry.packed.bytes();
    const auto dir = make_dir(state_);
    if (!dir) return dir.error();
    return write_file(*dir, file_name, text, 0600);
}

} // namespace nmib::cli
