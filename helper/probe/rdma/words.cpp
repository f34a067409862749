// SPDX-License-Identifier: LGPL-2.1-or-later
#include "probe/rdma/words.hpp"

#include "config.h"
#include "probe/dir.hpp"

namespace nmib
{

const char *const words_directory = NMIB_WORDS; // no std::string, whose allocation at load could fail

Result<RdmaWordsRead> read_rdma_words(const std::string &directory, const std::string &uuid)
{
    if (uuid.empty() || uuid.starts_with('.') || uuid.find('/') != uuid.npos) return RdmaWordsRead{};
    const auto dir = Dir::open(directory);
    const auto text = dir ? dir->read_trusted(uuid) : Result<std::string>(dir.error());
    if (text) return parse_rdma_words(*text);
    if (text.error().kind == Error::Kind::absent) return RdmaWordsRead{};
    return text.error();
}

} // namespace nmib
