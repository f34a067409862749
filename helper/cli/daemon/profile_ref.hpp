// SPDX-License-Identifier: LGPL-2.1-or-later
/// What a profile is called, and where it is.
#pragma once
#include <algorithm>
#include <ctime>
#include <string>
#include <string_view>
#include <vector>

namespace nmib::cli
{

struct ProfileRef {
    std::string uuid = {}, id = {}, interface = {}, type = {};
    std::string file = {};   ///< its keyfile, absolute, if that was read
    std::time_t changed = 0; ///< when that file was changed last, which nobody can set; the end of time for a link
    std::string path = {};   ///< its D-Bus object, if that is known
};

/// The first whose `part` is `value`, or null.
inline const ProfileRef *find_ref(const std::vector<ProfileRef> &refs, std::string ProfileRef::*part,
                                  std::string_view value) noexcept
{
    const auto it = std::find_if(refs.begin(), refs.end(), [&](const ProfileRef &r) { return r.*part == value; });
    return it == refs.end() ? nullptr : &*it;
}

} // namespace nmib::cli
