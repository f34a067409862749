// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/diagnose/trouble.hpp"

#include "core/message.hpp"
#include "core/printable.hpp"

namespace nmib
{

namespace
{
std::string filled(const char *what, const Trouble &t, Translate translate)
{
    return message(translate, what, fmt::arg("where", printable(t.where)), fmt::arg("subject", printable(t.subject)),
                   fmt::arg("value", t.sentence ? t.sentence(translate) : printable(t.value)));
}
} // namespace

std::string seen(const Trouble &trouble, Translate translate) { return filled(trouble.kind->seen, trouble, translate); }
std::string why(const Trouble &trouble, Translate translate) { return filled(trouble.kind->why, trouble, translate); }
std::string mend(const Trouble &trouble, Translate translate)
{
    return filled(trouble.generator ? trouble.generator->mend : trouble.kind->mend, trouble, translate);
}

} // namespace nmib
