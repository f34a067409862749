// SPDX-License-Identifier: LGPL-2.1-or-later
/// The command line: nmcli's global options, and then words.
#pragma once
#include "cli/base/words.hpp"

#include <chrono>

namespace nmib::cli
{

struct Options {
    bool offline = false;
    bool ask = false;
    enum class Print { normal, terse, pretty } print = Print::normal;
    std::optional<bool> multiline; ///< nothing: as the command prefers
    bool escape = true;
    enum class Colors { automatic, yes, no } colors = Colors::automatic;
    std::optional<std::string> fields;
    std::chrono::seconds wait{90}; ///< for an activation
    // ours
    bool strict = false;      ///< a warning of ours is an error, and nothing is saved
    bool with_parent = false; ///< make the profile of the parent too when there is none
    bool rdma = false;        ///< rdma.* words were typed
    bool json = false;        ///< --json in front of a command of ours
    /// Is there one that nmcli does not know?
    bool has_own() const noexcept { return strict || with_parent || rdma || json; }
};

/// Words with a place in them.
class Args
{
public:
    explicit Args(Words words) : words_(std::move(words)) {}
    Args(Words words, std::string last) : words_(std::move(words)) { words_.push_back(std::move(last)); }
    std::size_t left() const noexcept { return words_.size() - at_; }
    bool empty() const noexcept { return left() == 0; }
    const std::string &front() const { return words_[at_]; }
    /// The word after `front()`, or an empty one.
    std::string second() const { return left() > 1 ? words_[at_ + 1] : std::string{}; }
    void skip() noexcept { at_ += empty() ? 0 : 1; }
    std::string take()
    {
        auto word = front();
        at_++;
        return word;
    }

    /// Those that were not taken.
    Words rest() const { return {words_.begin() + static_cast<std::ptrdiff_t>(at_), words_.end()}; }
    /// Whether this word is among them.
    bool has(std::string_view word) const;

private:
    Words words_;
    std::size_t at_ = 0;
};

/// What may stand before the name of a profile, and say which name it is.
constexpr std::string_view selectors[] = {"id", "uuid", "path", "filename"};
bool is_selector(std::string_view word) noexcept;

/// Reads the options before the first word. Nothing when nmcli has to speak (help, version, mistakes).
std::optional<Options> parse_options(Args &args);
/// Skips one option, or all, that may stand between words: --ask, --show-secrets, and ours.
bool skip_option(Args &args, Options &options);
void skip_options(Args &args, Options &options);
/// One of ours, which may also stand among the properties.
bool take_own_option(Args &args, Options &options);

} // namespace nmib::cli
