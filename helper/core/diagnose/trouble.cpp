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
                   fmt::arg("uuid", printable(t.uuid)),
                   fmt::arg("value", t.sentence ? t.sentence(translate) : printable(t.value)));
}

constexpr Generator generators[] = {
    // parse.c, nm.c: an interface without the word becomes a profile of type ethernet, or one without a mode
    {"/run/NetworkManager/system-connections/netplan-",
     N_("In /etc/netplan, below the interface: infiniband-mode: datagram (or connected); then: netplan apply"),
     N_("In /etc/netplan, what this would change: {command}; a property that netplan does not have, below "
        "networkmanager: passthrough: of the interface; then: netplan apply")},
    // net/network_manager.py: the mode is written together with an MTU only, and only from version 1
    {"/etc/NetworkManager/system-connections/cloud-init-",
     N_("In the network configuration of cloud-init: version: 1, type: infiniband, mtu: 2044; or network: "
        "{{config: disabled}} in /etc/cloud/cloud.cfg.d, and: nm-ib connection add type infiniband"),
     N_("In the network configuration of cloud-init, what this would change: {command}; a property that it does not "
        "have: network: {{config: disabled}} in /etc/cloud/cloud.cfg.d, and the command")},
    {"/etc/NetworkManager/system-connections/warewulf-",
     N_("In the template of the overlay; then: wwctl overlay build"),
     N_("In the node's profile or the template of the overlay, what this would change: {command}; then: wwctl overlay "
        "build")},
};
} // namespace

const Generator *generator_of(std::string_view path) noexcept
{
    for (const auto &g : generators)
        if (path.starts_with(g.prefix)) return &g;
    return nullptr;
}

std::string seen(const Trouble &trouble, Translate translate) { return filled(trouble.kind->seen, trouble, translate); }
std::string why(const Trouble &trouble, Translate translate) { return filled(trouble.kind->why, trouble, translate); }
std::string mend(const Trouble &trouble, Translate translate)
{
    auto text = filled(trouble.kind->mend, trouble, translate);
    const auto *generator = mending_generator(trouble);
    if (!generator) return text;
    const bool is_form = trouble.kind->of == Trouble::Kind::Of::form;
    return message(translate, is_form ? generator->form : generator->value, fmt::arg("command", text));
}

const Generator *mending_generator(const Trouble &trouble) noexcept
{
    return trouble.kind->of == Trouble::Kind::Of::machine ? nullptr : trouble.generator;
}

} // namespace nmib
