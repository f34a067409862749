// SPDX-License-Identifier: LGPL-2.1-or-later
/// A keyfile that has been read: GKeyFile, with our errors and nothing left to leak.
#pragma once
#include "core/base/result.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

struct _GKeyFile; // NOLINT(bugprone-reserved-identifier): GLib's own name

namespace nmib
{

class Keyfile
{
public:
    /// `name` is for messages.
    static Result<Keyfile> parse(const std::string &text, const std::string &name);

    std::vector<std::string> groups() const;
    std::vector<std::string> keys(const std::string &group) const;
    /// A key that is in the group more than once: GKeyFile takes the last, which may not be the one that was meant.
    std::optional<std::string> repeated_key(const std::string &group) const;
    /// The text behind a key as it was meant (escapes undone); nothing if the key is not there or cannot be text.
    std::optional<std::string> get(const std::string &group, const std::string &key) const;
    void set(const std::string &group, const std::string &key, const std::string &text);
    /// "true"/"false"/"yes"/"no"/"1"/"0"/"on"/"off" in any case.
    static std::optional<bool> boolean(std::string text);
    /// The parts of a list "a;b;c"; white space around each is dropped, and an empty last one.
    static std::vector<std::string> list(const std::string &text);

private:
    struct Free {
        void operator()(_GKeyFile *k) const noexcept;
    };
    explicit Keyfile(_GKeyFile *k) : kf_(k) {}
    std::unique_ptr<_GKeyFile, Free> kf_;
};

} // namespace nmib
