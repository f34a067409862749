// SPDX-License-Identifier: LGPL-2.1-or-later
/// A finding of doctor: a fault, with the observation, the reason and the remedy.
#pragma once
#include "core/message/catalogue.hpp"
#include "core/message/message.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace nmib
{

/// A program that writes profiles from its own source, repeatedly. A fault must be mended in the source.
struct Generator {
    std::string_view prefix; ///< of the profile's path
    const char *form;        ///< how the source makes an InfiniBand profile
    const char *value;       ///< where to change a property; {command} would change the property in the profile
};
/// The generator of a profile's file; null for the files of users and NetworkManager.
const Generator *generator_of(std::string_view path) noexcept;

using CommandLine = std::vector<std::string>;
/// Returns the command line for a shell.
std::string text(const CommandLine &command);

/// A fault of the machine, and how to mend it; manual pages call it a finding. A message about one activation is a
/// Finding (core/plan/finding.hpp), and has the same row of the catalogue.
struct Trouble {
    using By = Kind::By;

    const Kind *kind = nullptr;
    Severity severity = Severity::error;
    std::string where{};                                ///< port ("mlx4_0/1"), interface, PCI function, module
    std::string subject{}, value{};                     ///< HCA, P_Key, state ...
    std::string hca{}, port{};                          ///< for -C and -P of infiniband-diags
    std::string uuid{};                                 ///< of the profile that is the subject
    std::vector<std::string> consequences{};            ///< interfaces without a carrier because of this
    std::vector<Message::Value> values{};               ///< of the sentence, before those above
    std::optional<std::vector<CommandLine>> commands{}; ///< replace the kind's commands; empty: By::hands
    const Generator *generator = nullptr;               ///< wrote the profile, and would overwrite a change
    std::vector<std::string> hosts{};                   ///< hosts to examine, if hosts are compared
};

std::string seen(const Trouble &trouble, Translate translate = untranslated);
std::string why(const Trouble &trouble, Translate translate = untranslated);
/// The remedy without the commands.
std::string advice(const Trouble &trouble, Translate translate = untranslated);
/// In order. Empty if a generator wrote the profile and would overwrite the change.
std::vector<CommandLine> commands(const Trouble &trouble);
std::string mend(const Trouble &trouble, Translate translate = untranslated);
Trouble::By mended_by(const Trouble &trouble) noexcept;
std::string_view word(Trouble::By by) noexcept;

} // namespace nmib
