// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/doctor/trouble.hpp"

#include "core/base/message.hpp"
#include "core/base/text.hpp"

#include <algorithm>

namespace nmib
{

namespace
{
std::string filled(const char *what, const Trouble &t, Translate translate)
{
    Message all{what, t.values};
    for (const auto &value : std::initializer_list<Message::Value>{{"where", t.where},
                                                                   {"subject", t.subject},
                                                                   {"uuid", t.uuid},
                                                                   {"hca", t.hca},
                                                                   {"port", t.port},
                                                                   {"value", t.value}})
        all.values.push_back(value);
    return all.text(translate);
}

constexpr Generator generators[] = {
    // netplan, parse.c and nm.c: without the word, the profile has type ethernet, or no mode
    {"/run/NetworkManager/system-connections/netplan-",
     N_("In /etc/netplan, below the interface: infiniband-mode: datagram (or connected); then: netplan apply"),
     N_("Set in /etc/netplan what this command sets: {command}. If netplan has no key for it, use "
        "networkmanager: passthrough: of the interface. Then: netplan apply")},
    // cloud-init, net/network_manager.py: writes the mode only with an MTU, and only from version 1
    {"/etc/NetworkManager/system-connections/cloud-init-",
     N_("In the network configuration of cloud-init: version: 1, type: infiniband, mtu: 2044; or network: "
        "{{config: disabled}} in /etc/cloud/cloud.cfg.d, and: nm-ib connection add type infiniband"),
     N_("Set in the network configuration of cloud-init what this command sets: {command}. If "
        "cloud-init has no key for it: network: {{config: disabled}} in /etc/cloud/cloud.cfg.d, "
        "and the command")},
    {"/etc/NetworkManager/system-connections/warewulf-",
     N_("In the template of the overlay; then: wwctl overlay build"),
     N_("Set in the node's profile or in the template of the overlay what this command sets: "
        "{command}. Then: wwctl overlay build")},
};

/// Splits first, then fills in: a path may contain a space.
CommandLine words_of(std::string_view line, const Trouble &t)
{
    CommandLine words;
    for (const auto &word : cut(line, " "))
        words.push_back(word == "''"
                            ? ""
                            : message(untranslated, word.c_str(), fmt::arg("where", t.where),
                                      fmt::arg("subject", t.subject), fmt::arg("value", t.value),
                                      fmt::arg("uuid", t.uuid), fmt::arg("hca", t.hca), fmt::arg("port", t.port)));
    return words;
}

/// The generator whose source has to be changed; null if a command is enough.
const Generator *mending_generator(const Trouble &trouble) noexcept
{
    return trouble.kind->of == Kind::Of::machine ? nullptr : trouble.generator;
}

std::vector<CommandLine> all_commands(const Trouble &t)
{
    if (t.commands) return *t.commands;
    std::vector<CommandLine> all;
    for (const auto &line : cut(t.kind->commands, "\n")) all.push_back(words_of(line, t));
    return all;
}

std::string joined(std::string text, const std::vector<CommandLine> &commands)
{
    for (std::size_t i = 0; i < commands.size(); i++)
        text += (i != 0 ? "; " : text.empty() ? "" : ": ") + nmib::text(commands[i]);
    return text;
}
} // namespace

std::string text(const CommandLine &command)
{
    std::string line;
    for (const auto &word : command) {
        const bool is_plain =
            !word.empty() && word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                                    "0123456789_-./:@=,+") == word.npos;
        std::string quoted;
        for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
        line += (line.empty() ? "" : " ") + (is_plain ? word : "'" + quoted + "'");
    }
    return printable(line);
}

const Generator *generator_of(std::string_view path) noexcept
{
    for (const auto &g : generators)
        if (path.starts_with(g.prefix)) return &g;
    return nullptr;
}

std::string seen(const Trouble &trouble, Translate translate) { return filled(trouble.kind->seen, trouble, translate); }
std::string why(const Trouble &trouble, Translate translate) { return filled(trouble.kind->why, trouble, translate); }

std::string advice(const Trouble &trouble, Translate translate)
{
    const auto *what = trouble.kind->mend;
    auto text = filled(what, trouble, translate);
    const auto *generator = mending_generator(trouble);
    if (!generator) return text;
    const bool is_form = trouble.kind->of == Kind::Of::form;
    return message(translate, is_form ? generator->form : generator->value,
                   fmt::arg("command", joined(std::move(text), all_commands(trouble))));
}

std::vector<CommandLine> commands(const Trouble &trouble)
{
    return mending_generator(trouble) ? std::vector<CommandLine>() : all_commands(trouble);
}

std::string mend(const Trouble &trouble, Translate translate)
{
    return joined(advice(trouble, translate), commands(trouble));
}

Trouble::By mended_by(const Trouble &trouble) noexcept
{
    const bool is_ours = !mending_generator(trouble) && !(trouble.commands && trouble.commands->empty());
    return is_ours ? trouble.kind->by : Trouble::By::hands;
}

std::string_view word(Trouble::By by) noexcept
{
    return by == Trouble::By::hands ? "hands" : by == Trouble::By::command ? "command" : "fix";
}

} // namespace nmib
