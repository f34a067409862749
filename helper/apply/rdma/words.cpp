// SPDX-License-Identifier: LGPL-2.1-or-later
#include "apply/rdma/words.hpp"

#include "apply/base/file.hpp"

namespace nmib
{

Result<void> write_rdma_words(const std::string &directory, const std::string &uuid, const RdmaValues &values)
{
    std::string lines;
    for (const auto &[name, value] : values) lines += name + "=" + value + "\n";
    if (!lines.empty())
        if (const auto parent = make_dir(split_path(directory).first); !parent) return parent.error();
    auto dir = lines.empty() ? Dir::open(directory) : make_dir(directory);
    if (!dir) return lines.empty() && dir.error().kind == Error::Kind::absent ? Result<void>() : dir.error();
    if (lines.empty()) return remove_file(*dir, uuid);
    remove_leftovers(*dir);
    return write_file(*dir, uuid,
                      "# rdma.* words of the NetworkManager profile with this UUID, see nm-ib(1). nm-ib "
                      "connection writes this file, and drops comments.\n" +
                          lines);
}

} // namespace nmib
