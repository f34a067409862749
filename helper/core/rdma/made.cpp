// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/rdma/made.hpp"

#include "core/number.hpp"

#include <algorithm>

namespace nmib
{

std::string RdmaMade::str() const
{
    std::string s;
    for (const auto &[label, values] : was)
        s += "was " + label + " " + (values.mode ? std::string(word(*values.mode)) : "-") + " " +
             (values.tos ? std::to_string(*values.tos) : "-") + "\n";
    for (const auto &[number, guid] : vfs)
        s += "vf " + std::to_string(number) + " " + guid.node.str() + " " + guid.port.str() + "\n";
    if (!soft.empty()) s += "soft " + soft + "\n";
    for (const auto &device : folders) s += "folder " + device + "\n";
    return s;
}

RdmaMade RdmaMade::parse(std::string_view text)
{
    RdmaMade made;
    while (!text.empty()) {
        auto line = take(text);
        const auto next = [&] { return std::string(take(line, ' ')); };
        const auto kind = next();
        if (kind == "soft") made.soft = next();
        if (kind == "folder") made.folders.insert(next());
        if (kind == "vf") {
            const auto number = parse_decimal(next(), UINT16_MAX);
            const auto node = Guid::parse(next()), port = Guid::parse(next());
            if (number && node && port) made.vfs[static_cast<unsigned>(*number)] = {*node, *port};
        }
        if (kind != "was") continue;
        auto &values = made.was[next()];
        const auto mode = next(), tos = next();
        if (mode == "v1" || mode == "v2") values.mode = mode == "v1" ? RoceMode::v1 : RoceMode::v2;
        if (const auto n = parse_decimal(tos, 255)) values.tos = static_cast<unsigned>(*n);
    }
    return made;
}

} // namespace nmib
