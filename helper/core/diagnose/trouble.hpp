// SPDX-License-Identifier: LGPL-2.1-or-later
/// Something that is wrong, with what was seen, why it matters, and what mends it.
#pragma once
#include "core/diagnose/generator.hpp"
#include "core/finding.hpp"

#include <functional>
#include <vector>

namespace nmib
{

struct Trouble {
    using Severity = Finding::Severity;

    /// What is the same whenever it happens. In the messages: {where}, {subject} and {value}.
    struct Kind {
        std::string_view id; ///< stable, an entry in nm-ib-doctor(7)
        const char *seen;    ///< what was seen
        const char *why;     ///< why it matters
        const char *mend;    ///< the command that mends it, or what to ask whom
    };
    const Kind *kind = nullptr;
    Severity severity = Severity::error;
    std::string where{};                     ///< a port ("mlx4_0/1"), an interface, a PCI function, a module
    std::string subject{}, value{};          ///< the HCA, the P_Key, the state ...
    std::vector<std::string> consequences{}; ///< interfaces that have no carrier because of it
    /// Where {value} is a whole sentence: it, in the language of whoever reads it.
    std::function<std::string(Translate)> sentence{};
    const Generator *generator = nullptr; ///< of the profile: where that is to be mended
    std::vector<std::string> hosts{};     ///< of what several hosts have between them: those to look at
};

std::string seen(const Trouble &trouble, Translate translate = untranslated);
std::string why(const Trouble &trouble, Translate translate = untranslated);
std::string mend(const Trouble &trouble, Translate translate = untranslated);

} // namespace nmib
