// SPDX-License-Identifier: LGPL-2.1-or-later
#include "probe/host/modules.hpp"

#include "core/host/modules.hpp"
#include "probe/dir.hpp"

#include <sys/utsname.h>

namespace nmib
{

Result<std::set<std::string>> read_known_modules()
{
    constexpr std::size_t longest = 16U << 20;
    struct utsname system {
    };
    (void)::uname(&system);
    const auto dir = Dir::open(std::string("/lib/modules/") + system.release);
    if (!dir) return dir.error();
    const auto loadable = dir->read("modules.dep", longest);
    if (!loadable) return loadable.error();
    auto all = listed_modules(*loadable);
    if (const auto built_in = dir->read("modules.builtin", longest)) all.merge(listed_modules(*built_in));
    return all;
}

} // namespace nmib
