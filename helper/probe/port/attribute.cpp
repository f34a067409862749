// SPDX-License-Identifier: LGPL-2.1-or-later
#include "probe/port/attribute.hpp"

#include <algorithm>

namespace nmib::attribute
{

Error not_understood(const Dir &dir, const std::string &file)
{
    return {Error::Kind::invalid, dir.path() + "/" + file + ": cannot be parsed"};
}

Error not_absent(Error error)
{
    if (error.kind == Error::Kind::absent) error.kind = Error::Kind::io;
    if (error.what.empty()) error.what = "empty";
    return error;
}

Read<std::string> line(const Dir &dir, const std::string &file)
{
    const auto text = dir.read(file, limit);
    if (!text) return text.error();
    const auto value = trim(*text);
    if (value.empty()) return {};
    if (value.find_first_of(std::string_view("\0\n", 2)) != value.npos) return not_understood(dir, file);
    return std::string(value);
}

Read<unsigned> hexadecimal(const Dir &dir, const std::string &file, std::uint64_t max)
{
    return value<unsigned>(dir, file, [&](std::string_view t) { return parse_hex(t, max); });
}

Read<unsigned> decimal(const Dir &dir, const std::string &file, std::uint64_t max)
{
    return value<unsigned>(dir, file, [&](std::string_view t) { return parse_decimal(t, max); });
}

Read<PciId> pci_id(const Dir &function)
{
    const auto vendor = hexadecimal(function, "vendor", 0xffff);
    if (!vendor) return vendor.error();
    const auto device = needed(hexadecimal(function, "device", 0xffff));
    if (!device) return device.error();
    return PciId{static_cast<std::uint16_t>(*vendor), static_cast<std::uint16_t>(*device)};
}

Result<std::vector<unsigned>> indices(const Dir &table, std::uint64_t max)
{
    const auto names = table.list();
    if (!names) return names.error();
    std::vector<unsigned> all;
    for (const auto &name : *names)
        if (const auto n = parse_decimal(name, max)) all.push_back(static_cast<unsigned>(*n));
    std::sort(all.begin(), all.end());
    return all;
}

Read<std::vector<PKeyEntry>> read_pkeys(const Dir &table)
{
    const auto all = indices(table, 0xffff);
    if (!all) return all.error();
    std::vector<PKeyEntry> keys;
    for (const auto i : *all) {
        const auto key = hexadecimal(table, std::to_string(i), 0xffff);
        if (key.failed()) return key.error();
        if (const auto entry = key ? PKey::from(static_cast<std::uint32_t>(*key)) : std::nullopt)
            keys.push_back({i, *entry});
    }
    return keys;
}

} // namespace nmib::attribute
