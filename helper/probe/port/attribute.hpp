// SPDX-License-Identifier: LGPL-2.1-or-later
/// Attributes of RDMA devices, ports and PCI functions in sysfs: one value a file.
#pragma once
#include "core/base/text.hpp"
#include "core/ib/rdma_device.hpp"
#include "probe/base/dir.hpp"

namespace nmib::attribute
{

constexpr std::size_t limit = 256; ///< bytes; the longest file, a node description, has 64

Error not_understood(const Dir &dir, const std::string &file);
/// A missing file of an existing device or port is an I/O error, not "absent".
Error not_absent(Error error);
template<class T> Read<T> needed(Read<T> read) { return read ? std::move(read) : Read<T>(not_absent(read.error())); }

/// Reads a file of one line; an empty file has no value.
Read<std::string> line(const Dir &dir, const std::string &file);

/// Reads a file with `parse`, which returns an optional.
template<class T, class Parse> Read<T> value(const Dir &dir, const std::string &file, Parse parse)
{
    const auto text = dir.read(file, limit);
    if (!text) return text.error();
    if (auto parsed = parse(trim(*text))) return static_cast<T>(*parsed);
    return not_understood(dir, file);
}
Read<unsigned> hexadecimal(const Dir &dir, const std::string &file, std::uint64_t max);
Read<unsigned> decimal(const Dir &dir, const std::string &file, std::uint64_t max);

/// Error `absent`: `function` is no PCI function.
Read<PciId> pci_id(const Dir &function);
/// Returns the sorted numbers that are file names in a table.
Result<std::vector<unsigned>> indices(const Dir &table, std::uint64_t max);
/// Reads a table of P_Keys without its empty entries.
Read<std::vector<PKeyEntry>> read_pkeys(const Dir &table);

} // namespace nmib::attribute
