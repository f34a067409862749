// SPDX-License-Identifier: LGPL-2.1-or-later
/// Something that is wrong, with what was seen, why it matters, and what mends it.
#pragma once
#include "core/plan/finding.hpp"

#include <functional>
#include <optional>
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

/// A program and its words, without a shell.
using CommandLine = std::vector<std::string>;
/// For people, as a shell reads it.
std::string text(const CommandLine &command);

struct Trouble {
    /// Who mends it.
    enum class By {
        hands,   ///< a person who decides, or another machine; commands only show more, or are a part of it
        command, ///< commands here, once a person has decided
        fix,     ///< likewise; they take no interface down, so that --fix runs them
    };
    using Severity = Finding::Severity;

    /// What is the same whenever it happens. In the texts: {where}, {subject}, {uuid}, {value}, {hca}
    /// and {port}.
    struct Kind {
        std::string_view id; ///< stable, an entry in nm-ib-doctor(7)
        const char *seen;    ///< what was seen
        const char *why;     ///< why it matters
        By by;
        const char *mend;          ///< what to do; nothing if the commands say it
        const char *commands = ""; ///< one a line, the words apart by spaces; '' is an empty word
        /// What `mend` changes: something else than a profile, a property of it, or what it is a profile for.
        enum class Of { machine, property, form } of = Of::machine;
    };
    const Kind *kind = nullptr;
    Severity severity = Severity::error;
    std::string where{};                     ///< a port ("mlx4_0/1"), an interface, a PCI function, a module
    std::string subject{}, value{};          ///< the HCA, the P_Key, the state ...
    std::string hca{}, port{};               ///< the words behind -C and -P of infiniband-diags
    std::string uuid{};                      ///< of the profile whose name is the subject
    std::vector<std::string> consequences{}; ///< interfaces that have no carrier because of it
    /// Where {value} is a whole sentence: it, in the language of whoever reads it.
    std::function<std::string(Translate)> sentence{};
    std::optional<std::vector<CommandLine>> commands{}; ///< in place of the kind's; none: it is one for hands
    const Generator *generator = nullptr; ///< the program that wrote the profile, and would write the profile again
    std::vector<std::string> hosts{};     ///< of what several hosts have between them: those to look at
};

/// The kind with this id, found by the compiler: an id that is not there is no constant.
template<std::size_t n> consteval const Trouble::Kind *find_kind(const Trouble::Kind (&kinds)[n], std::string_view id)
{
    const auto *found = kinds;
    while (found->id != id) found++;
    return found;
}

std::string seen(const Trouble &trouble, Translate translate = untranslated);
std::string why(const Trouble &trouble, Translate translate = untranslated);
/// What to do, without the commands.
std::string advice(const Trouble &trouble, Translate translate = untranslated);
/// In this order. None if a generator wrote the profile, for it would write the profile again.
std::vector<CommandLine> commands(const Trouble &trouble);
/// advice() and commands() in one line.
std::string mend(const Trouble &trouble, Translate translate = untranslated);
Trouble::By mended_by(const Trouble &trouble) noexcept;
/// "hands", "command" or "fix".
std::string_view word(Trouble::By by) noexcept;

} // namespace nmib
