// SPDX-License-Identifier: LGPL-2.1-or-later
/// Parses the global options: nmcli's, and nm-ib's own.
#pragma once
#include "terminal/words.hpp"

#include <chrono>

namespace nmib::cli
{

struct Options {
    bool offline = false;
    bool ask = false;
    enum class Print { normal, terse, pretty } print = Print::normal;
    std::optional<bool> multiline; ///< unset: the command's default
    bool escape = true;
    enum class Colors { automatic, yes, no } colors = Colors::automatic;
    std::optional<std::string> fields;
    std::chrono::seconds wait{90}; ///< for an activation
    bool strict = false;           ///< save nothing if nm-ib warns
    bool with_parent = false;      ///< add a profile for the parent if none exists
    bool rdma = false;             ///< rdma.* words were typed
    bool json = false;             ///< --json before a command of nm-ib
    /// Returns true if nmcli does not know one of the options or words.
    bool has_own() const noexcept { return strict || with_parent || rdma || json; }
};

class Args
{
public:
    explicit Args(Words words) : words_(std::move(words)) {}
    Args(Words words, std::string last) : words_(std::move(words)) { words_.push_back(std::move(last)); }
    std::size_t left() const noexcept { return words_.size() - at_; }
    bool empty() const noexcept { return left() == 0; }
    const std::string &front() const { return words_[at_]; }
    std::string second() const { return left() > 1 ? words_[at_ + 1] : std::string{}; }
    void skip() noexcept { at_ += empty() ? 0 : 1; }
    std::string take()
    {
        auto word = front();
        at_++;
        return word;
    }

    Words rest() const { return {words_.begin() + static_cast<std::ptrdiff_t>(at_), words_.end()}; }
    bool has(std::string_view word) const;

private:
    Words words_;
    std::size_t at_ = 0;
};

/// The words before a profile's name that select the kind of name.
constexpr std::string_view selectors[] = {"id", "uuid", "path", "filename"};
bool is_selector(std::string_view word) noexcept;

/// Parses the options before the first word. Nothing: nmcli must answer (help, version, mistakes).
std::optional<Options> parse_options(Args &args);
/// Skips one option, or all options, that may stand between words: --ask, --show-secrets and nm-ib's own.
bool skip_option(Args &args, Options &options);
void skip_options(Args &args, Options &options);
/// Takes an option of nm-ib. These options may also stand among the properties.
bool take_own_option(Args &args, Options &options);

} // namespace nmib::cli
