// SPDX-License-Identifier: LGPL-2.1-or-later
/// The properties of a D-Bus object, read by one call.
#pragma once
#include "nm/daemon.hpp"

#include <cstdint>

namespace nmib::cli
{

/// Missing properties are empty, false or 0.
class Properties
{
public:
    explicit Properties(Variant all) : all_(std::move(all)) {}
    static Result<Properties> of(const Daemon &daemon, const std::string &path, const char *interface);

    std::string text(const char *name) const;
    bool flag(const char *name) const;
    std::uint32_t number(const char *name) const;
    /// Returns an object path; empty for "/" (no object).
    std::string object(const char *name) const;

private:
    Variant get(const char *name, const char *type) const;

    Variant all_;
};

} // namespace nmib::cli
