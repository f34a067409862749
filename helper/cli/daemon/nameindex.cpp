// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/daemon/nameindex.hpp"

#include "apply/file.hpp"

namespace nmib::cli
{

namespace
{
constexpr const char *file_name = "names";
constexpr std::string_view title = "nm-ib names 2\n"; // then what is packed, for this machine until it is started again

/// Is never written in place, so what is mapped stays as it is.
std::shared_ptr<GMappedFile> map(const std::string &state)
{
    const auto dir = Dir::open(state);
    const auto file = dir ? dir->open_trusted(file_name) : Result<UniqueFd>(dir.error());
    auto *mapped = file ? g_mapped_file_new_from_fd(file->get(), FALSE, nullptr) : nullptr;
    return mapped ? std::shared_ptr<GMappedFile>(mapped, g_mapped_file_unref) : nullptr;
}
} // namespace

NameIndex::NameIndex(std::string state) : state_(std::move(state)), file_(map(state_))
{
    const auto length = file_ ? g_mapped_file_get_length(file_.get()) : 0;
    const std::string_view text = length > 0 ? std::string_view(g_mapped_file_get_contents(file_.get()), length) : "";
    if (text.starts_with(title)) rest_ = text.substr(title.size());
    if (const auto first = Packed::at(rest_)) most_ = rest_.size() * 5 / 4 / first->bytes().size();
}

std::optional<Packed> NameIndex::find(const Stamp &stamp, std::string_view file) noexcept
{
    constexpr int most_gone = 16; // files that were kept and are there no more, between one and the next
    auto rest = rest_;
    for (int i = 0; i <= most_gone; i++) {
        const auto one = Packed::at(rest);
        if (!one) break;
        rest.remove_prefix(one->bytes().size());
        if (one->stamp() != stamp || one->name().place != file) continue;
        rest_ = rest;
        return one;
    }
    return std::nullopt;
}

bool NameIndex::keeps(const Stamp &stamp) const noexcept
{
    return stamp.changed > 0 && stamp.changed < (static_cast<std::uint64_t>(made_) - 1) * 1'000'000'000;
}

Result<void> NameIndex::keep(const Names &names) const
{
    std::string text(title);
    for (const auto &entry : names.entries())
        if (keeps(entry.packed.stamp())) text += entry.packed.bytes();
    const auto dir = make_dir(state_);
    if (!dir) return dir.error();
    return write_file(*dir, file_name, text, 0600);
}

} // namespace nmib::cli
