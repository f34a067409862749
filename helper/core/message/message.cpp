// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/message/message.hpp"

#include "core/base/text.hpp"

namespace nmib
{

std::string Message::text(Translate translate) const
{
    if (*sentence == '\0') return {}; // gettext("") is its header
    NamedValues all;
    for (const auto &value : values)
        all.emplace_back(value.name,
                         value.message.empty() ? printable(value.text) : value.message.front().text(translate));
    return filled_in(translate, sentence, all);
}

} // namespace nmib
