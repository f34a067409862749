// SPDX-License-Identifier: LGPL-2.1-or-later
/// Something that is wrong, with what was seen, why it matters, and what mends it.
#pragma once
#include "core/finding.hpp"

#include <functional>
#include <string_view>
#include <vector>

namespace nmib
{

/// A program that writes profiles from a source of its own, and writes them again: a fault is mended in that source.
struct Generator {
    std::string_view prefix; ///< of the profile's path
    const char *form;        ///< how the source has to look, so that the profile is one for InfiniBand
    const char *value;       ///< where to change a property, which {command} would change in the profile
};
/// The generator of a profile's file; null for a file that a user or NetworkManager wrote.
const Generator *generator_of(std::string_view path) noexcept;

struct Trouble {
    using Severity = Finding::Severity;

    /// What is the same whenever it happens. In the messages: {where}, {subject}, {uuid} and {value}.
    struct Kind {
        std::string_view id; ///< stable, an entry in nm-ib-doctor(7)
        const char *seen;    ///< what was seen
        const char *why;     ///< why it matters
        const char *mend;    ///< the command that mends it, or what to ask whom
        /// What `mend` changes: something else than a profile, a property of it, or what it is a profile for.
        enum class Of { machine, property, form } of = Of::machine;
    };
    const Kind *kind = nullptr;
    Severity severity = Severity::error;
    std::string where{};                     ///< a port ("mlx4_0/1"), an interface, a PCI function, a module
    std::string subject{}, value{};          ///< the HCA, the P_Key, the state ...
    std::string uuid{};                      ///< of the profile whose name is the subject
    std::vector<std::string> consequences{}; ///< interfaces that have no carrier because of it
    /// Where {value} is a whole sentence: it, in the language of whoever reads it.
    std::function<std::string(Translate)> sentence{};
    const Generator *generator = nullptr; ///< the program that wrote the profile, and would write the profile again
    std::vector<std::string> hosts{};     ///< of what several hosts have between them: those to look at
};

std::string seen(const Trouble &trouble, Translate translate = untranslated);
std::string why(const Trouble &trouble, Translate translate = untranslated);
std::string mend(const Trouble &trouble, Translate translate = untranslated);
/// The generator in whose source the trouble is to be mended; null where a command can mend it.
const Generator *mending_generator(const Trouble &trouble) noexcept;

} // namespace nmib
