// SPDX-License-Identifier: LGPL-2.1-or-later
#include "probe/rdma/words.hpp"

#include "config.h"
#include "probe/base/dir.hpp"

namespace nmib
{

namespace
{
constexpr std::size_t longest = 4U << 20; // a GUID for each of 65535 virtual functions
}

const char *const words_directory = NMIB_WORDS; // no std::string, whose allocation at load could fail

Result<RdmaWordsRead> read_rdma_words(const std::string &directory, const std::string &uuid)
{
    if (uuid.empty() || uuid.starts_with('.') || uuid.find('/') != uuid.npos) return RdmaWordsRead{};
    const auto dir = Dir::open(directory);
    const auto is_roots = dir ? dir->only_root_writes() : Result<void>(dir.error());
    const auto text = is_roots ? dir->read_trusted(uuid, longest) : Result<std::string>(is_roots.error());
    if (text) return parse_rdma_words(*text);
    if (text.error().kind == Error::Kind::absent) return RdmaWordsRead{};
    return text.error();
}

} // namespace nmib
