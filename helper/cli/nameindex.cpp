// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/nameindex.hpp"

#include "apply/file.hpp"

#include <cstring>

namespace nmib::cli
{

namespace
{
constexpr const char *file_name = "names";
constexpr std::string_view title = "nm-ib names 1\n"; // for this machine until it is started again: see Head
constexpr std::size_t largest = 64 << 20;

/// In front of each uuid, id, interface and type.
struct Head {
    Stamp stamp;
    std::array<std::uint64_t, 4> length;
};
using Texts = std::array<std::string_view Names::Name::*, 4>;
constexpr Texts texts = {&Names::Name::uuid, &Names::Name::id, &Names::Name::interface, &Names::Name::type};

/// A record, and what is behind it.
struct Record {
    Stamp stamp;
    Names::Name name;
    std::size_t end;
};

std::optional<Record> record_at(std::string_view all, std::size_t at) noexcept
{
    Head head;
    if (all.size() - at < sizeof head) return std::nullopt;
    std::memcpy(&head, all.data() + at, sizeof head);
    Record r{head.stamp, {}, at + sizeof head};
    for (std::size_t i = 0; i < texts.size(); i++) {
        if (head.length[i] > all.size() - r.end) return std::nullopt;
        r.name.*texts[i] = all.substr(r.end, head.length[i]);
        r.end += head.length[i];
    }
    return r;
}
} // namespace

NameIndex::NameIndex(const std::string &state)
{
    const auto dir = Dir::open(state);
    auto text = dir ? dir->read_trusted(file_name, largest) : Result<std::string>(dir.error());
    if (!text || !text->starts_with(title)) return;
    text_ = std::move(*text);
    next_ = title.size();
}

std::optional<Names::Name> NameIndex::find(const Stamp &stamp) noexcept
{
    constexpr int most_gone = 16; // files that were kept and are there no more, between one and the next
    auto at = next_;
    for (int i = 0; i <= most_gone; i++) {
        const auto r = record_at(text_, at);
        if (!r) break;
        at = r->end;
        if (r->stamp != stamp) continue;
        next_ = at;
        return r->name;
    }
    return std::nullopt;
}

Result<void> keep_names(const std::string &state, const Names &names, std::time_t read)
{
    std::string text(title);
    for (const auto &name : names) {
        struct stat st {
        };
        const auto path = name.known().file;
        if (lstat(path.c_str(), &st) != 0 || st.st_ctim.tv_sec >= read - 1) continue;
        Head head{stamp(st), {}};
        for (std::size_t i = 0; i < texts.size(); i++) head.length[i] = (name.*texts[i]).size();
        text.append(reinterpret_cast<const char *>(&head), sizeof head);
        for (const auto part : texts) text += name.*part;
    }
    const auto dir = make_dir(state);
    if (!dir) return dir.error();
    return write_file(*dir, file_name, text, 0600);
}

} // namespace nmib::cli
