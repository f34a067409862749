// SPDX-License-Identifier: LGPL-2.1-or-later
/// Programs that write profiles from a source of their own, and write them anew: what is wrong in such a profile is
/// mended in that source.
#pragma once
#include <string_view>

namespace nmib
{

struct Generator {
    std::string_view prefix; ///< of the file's name
    const char *mend;        ///< in the language of its source
};
/// By the file of a profile; null where no such program wrote it.
const Generator *generator_of(std::string_view path) noexcept;

} // namespace nmib
