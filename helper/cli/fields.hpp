// SPDX-License-Identifier: LGPL-2.1-or-later
/// What `-f` asks of `connection show PROFILE`.
#pragma once
#include "cli/daemon/active.hpp"
#include "cli/row.hpp"

namespace nmib::cli
{

/// A setting of the profile, or one property of it.
struct SettingField {
    const Group *group;       ///< null: one that no InfiniBand profile has; it counts where settings are kept apart
    const Row *row = nullptr; ///< null: all
};

/// Fields of one kind, and whether any were asked for. A mistake in them is told when they are to be shown.
template<class Field> struct Asked {
    bool any = false;
    std::vector<Field> fields{};
    std::optional<Failure> mistake{};
};

struct ShowFields {
    Asked<SettingField> profile;
    Asked<ActiveField> active;
};

/// Fails for fields that are nmcli's, or that do not go together.
std::variant<ShowFields, Failure> parse_fields(const std::optional<std::string> &text);

} // namespace nmib::cli
