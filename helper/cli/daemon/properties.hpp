// SPDX-License-Identifier: LGPL-2.1-or-later
/// An object on the bus, asked once for all it has.
#pragma once
#include "cli/daemon/daemon.hpp"

#include <cstdint>

namespace nmib::cli
{

/// The properties of one object on the bus.
class Properties
{
public:
    explicit Properties(Variant all) : all_(std::move(all)) {}
    static Result<Properties> of(const Daemon &daemon, const std::string &path, const char *interface);

    std::string text(const char *name) const;
    bool flag(const char *name) const;
    std::uint32_t number(const char *name) const;
    /// An object path; empty for "/", which says that there is none.
    std::string object(const char *name) const;

private:
    Variant get(const char *name, const char *type) const;

    Variant all_;
};

} // namespace nmib::cli
