// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/naming.hpp"

#include "core/number.hpp"

namespace nmib
{

namespace
{
std::string suffix(std::uint16_t key) { return "." + hex(key, 4).substr(2); }
} // namespace

std::optional<IfName> kernel_child_name(const IfName &parent, std::uint16_t key_as_written)
{
    return IfName::parse(parent.str().substr(0, parent_name_limit) + suffix(key_as_written));
}

std::optional<IfName> nm_child_name(const IfName &parent, std::uint16_t key_as_written)
{
    return IfName::parse((parent.str() + suffix(key_as_written)).substr(0, IfName::max_length));
}

} // namespace nmib
