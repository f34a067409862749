// SPDX-License-Identifier: LGPL-2.1-or-later
/// What `nm-ib name import` finds on this machine, and what is to become of it.
#pragma once
#include "cli/name/bindings.hpp"
#include "cli/name/writing.hpp"
#include "core/link_file/fragile.hpp"

#include <memory>

namespace nmib::cli
{

/// A name, or a profile, that hangs on the address of a port.
struct Import {
    std::string kind{};                 ///< "rule", "link-file", "ifcfg", "profile"
    std::string where{};                ///< the file, with the line of a rule; the profile's name
    std::string name{};                 ///< of the interface; empty where it gets none
    const PortIdentity *port = nullptr; ///< one of Imports::world; null: not on this machine
    std::string becomes{};
    std::string left{}; ///< why it is left as it is; empty: it can be imported
    // of files
    const FragileFile *file = nullptr; ///< one of Imports::files; null: a profile
    const FragileName *fragile = nullptr;
    NameFiles files{};
    // of profiles
    std::string uuid{};
};

struct Imports {
    NamingWorld world{};
    std::vector<FragileFile> files{};
    std::vector<Import> all{};
    std::unique_ptr<Daemon> daemon{};        ///< none: NetworkManager does not run, and no profile was looked at
    std::unique_ptr<ProfileMove> profiles{}; ///< those that can be imported; null: none

    /// Whether there is anything to import.
    bool possible() const;
};

/// Looks at everything, changes nothing. An Error where something cannot be read.
Result<Imports> find_imports(const NameRequest &request);

} // namespace nmib::cli
