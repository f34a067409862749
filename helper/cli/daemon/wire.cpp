// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/daemon/wire.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace nmib::cli::wire
{

namespace
{
constexpr char our_order = std::endian::native == std::endian::little ? 'l' : 'B';
enum Type : std::uint8_t { method_return = 2, error = 3, signal = 4 };
enum Field : std::uint8_t { field_member = 3, field_reply_serial = 5, field_signature = 8 };

/// Reads on; past the end, and after the first mistake, only zeros.
class Reader
{
public:
    explicit Reader(std::string_view text) : text_(text) {}

    std::uint8_t byte() { return static_cast<std::uint8_t>(take(1).empty() ? 0 : text_[at_ - 1]); }
    std::uint32_t number()
    {
        align(4);
        std::uint32_t n = 0;
        if (const auto bytes = take(sizeof n); !bytes.empty()) std::memcpy(&n, bytes.data(), sizeof n);
        return n;
    }
    std::string_view string() { return with_end(number()); }
    std::string_view signature() { return with_end(byte()); }
    void align(std::size_t to) { (void)take((to - at_ % to) % to); }

    bool good() const noexcept { return good_; }
    std::size_t at() const noexcept { return at_; }
    std::size_t left() const noexcept { return text_.size() - at_; }

private:
    std::string_view take(std::size_t n)
    {
        good_ = good_ && n <= text_.size() - at_;
        if (!good_) return {};
        at_ += n;
        return text_.substr(at_ - n, n);
    }
    std::string_view with_end(std::size_t n)
    {
        const auto text = take(n);
        (void)byte();
        return text;
    }

    std::string_view text_;
    std::size_t at_ = 0;
    bool good_ = true;
};

struct Head {
    std::uint8_t type;
    std::uint32_t reply_serial = 0;
    std::string_view member, signature;
    std::size_t size; ///< where the body begins
};

std::optional<Head> read_head(std::string_view message)
{
    Reader r(message);
    if (r.byte() != our_order) return std::nullopt;
    Head head{r.byte(), 0, {}, {}, 0};
    (void)r.number(); // flags and version, and to the next number: the length of the body
    (void)r.number(); // this one's serial
    const auto length = r.number();
    const auto end = r.at() + length;
    while (r.good() && r.at() < end) {
        r.align(8);
        const auto field = r.byte();
        const auto type = r.signature();
        if (type == "u") {
            const auto n = r.number();
            if (field == field_reply_serial) head.reply_serial = n;
        } else if (type == "g") {
            const auto s = r.signature();
            if (field == field_signature) head.signature = s;
        } else if (type == "s" || type == "o") {
            const auto s = r.string();
            if (field == field_member) head.member = s;
        } else {
            return std::nullopt;
        }
    }
    r.align(8);
    head.size = r.at();
    if (!r.good()) return std::nullopt;
    return head;
}

std::optional<Paths> read_paths(Reader &r)
{
    constexpr std::size_t usual = 48; // "/org/freedesktop/NetworkManager/Settings/4096"
    const auto length = r.number();
    const auto end = r.at() + length;
    Paths paths;
    paths.reserve(std::min<std::size_t>(length, r.left()) / usual);
    while (r.good() && r.at() < end) paths.push_back(r.string());
    if (!r.good()) return std::nullopt;
    return paths;
}
} // namespace

std::optional<std::uint32_t> reply_serial(std::string_view message)
{
    const auto head = read_head(message);
    if (!head || (head->type != method_return && head->type != error)) return std::nullopt;
    return head->reply_serial;
}

std::optional<Paths> object_paths(std::string_view message)
{
    const auto head = read_head(message);
    if (!head || head->type != method_return || head->signature != "ao") return std::nullopt;
    Reader r(message.substr(head->size));
    return read_paths(r);
}

bool tells_properties(std::string_view message)
{
    const auto head = read_head(message);
    return head && head->type == signal && head->member == "PropertiesChanged" && head->signature == "sa{sv}as";
}

std::optional<Paths> object_paths(std::string_view message, std::string_view property)
{
    if (!tells_properties(message)) return std::nullopt;
    Reader r(message.substr(read_head(message)->size));
    (void)r.string(); // the interface
    const auto length = r.number();
    r.align(8);
    const auto end = r.at() + length;
    if (r.string() != property || r.signature() != "ao") return std::nullopt;
    auto paths = read_paths(r);
    const bool alone = r.at() == end;
    (void)r.number(); // of properties without their values
    return alone && r.good() ? paths : std::nullopt;
}

} // namespace nmib::cli::wire
