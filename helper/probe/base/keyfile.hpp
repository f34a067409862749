// SPDX-License-Identifier: LGPL-2.1-or-later
/// A parsed GKeyFile.
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
    /// `name` is used in messages.
    static Result<Keyfile> parse(const std::string &text, const std::string &name);

    std::vector<std::string> groups() const;
    std::vector<std::string> keys(const std::string &group) const;
    /// Returns a key that is in the group more than once: GKeyFile uses the last, perhaps not the intended one.
    std::optional<std::string> repeated_key(const std::string &group) const;
    /// Returns the value with escapes decoded; nothing if the key is missing or its value is no text.
    std::optional<std::string> get(const std::string &group, const std::string &key) const;
    void set(const std::string &group, const std::string &key, const std::string &text);
    /// Parses true/false, yes/no, 1/0 and on/off, in any case.
    static std::optional<bool> boolean(std::string text);
    /// Splits a list "a;b;c". Drops white space around each part, and an empty last part.
    static std::vector<std::string> list(const std::string &text);

private:
    struct Free {
        void operator()(_GKeyFile *k) const noexcept;
    };
    explicit Keyfile(_GKeyFile *k) : kf_(k) {}
    std::unique_ptr<_GKeyFile, Free> kf_;
};

/// A line of a keyfile.
struct KeyfileLine {
    unsigned number; ///< from 1
    std::string group;
    std::string key;                  ///< empty: the line of the group; the whole line if it is no assignment
    std::optional<std::string> value; ///< escapes decoded; nothing if it is no text, or the line no assignment
};
/// Reads a keyfile line by line, so that a mistake costs one line, or one group if its own line is wrong: such a line
/// is an error that names file and number.
std::vector<KeyfileLine> keyfile_lines(const std::string &text, const std::string &name, std::vector<Error> &errors);

} // namespace nmib
