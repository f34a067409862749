// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/pkey.hpp"

#include "core/number.hpp"

namespace nmib
{

std::optional<PKey> PKey::parse_sysfs(std::string_view text) noexcept
{
    const auto v = parse_hex(trim(text), 0xffff);
    return v ? from(static_cast<std::uint32_t>(*v)) : std::nullopt;
}

std::string PKey::str() const { return hex(value_, 4); }

} // namespace nmib
