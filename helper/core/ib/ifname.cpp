// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/ib/ifname.hpp"

#include "core/base/text.hpp"

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

bool is_child_name(std::string_view name) noexcept
{
    const auto dot = name.rfind('.');
    return dot != std::string_view::npos && name.size() - dot == 5 &&
           name.find_first_not_of("0123456789abcdefABCDEF", dot + 1) == std::string_view::npos;
}

bool is_misnamed(const IfName &child, const IfName &parent, PKey key, std::string_view wanted)
{
    for (const auto as_written : {key.value(), key.partition()}) {
        const auto whole = parent.str() + suffix(as_written);
        if (whole.size() > IfName::max_length && kernel_child_name(parent, as_written) == child &&
            (wanted == whole || wanted == std::string_view(whole).substr(0, IfName::max_length)))
            return true;
    }
    return false;
}

} // namespace nmib
