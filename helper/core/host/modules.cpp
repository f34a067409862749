// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/host/modules.hpp"

#include "core/base/text.hpp"

#include <algorithm>

namespace nmib
{

std::set<std::string> listed_modules(std::string_view text)
{
    std::set<std::string> all;
    while (!text.empty()) {
        auto path = trim(take(text));
        path = path.substr(0, path.find(':'));
        if (const auto slash = path.rfind('/'); slash != path.npos) path.remove_prefix(slash + 1);
        const auto dot = path.find(".ko");
        if (dot == path.npos || dot == 0) continue;
        std::string name(path.substr(0, dot));
        std::replace(name.begin(), name.end(), '-', '_');
        all.insert(std::move(name));
    }
    return all;
}

} // namespace nmib
