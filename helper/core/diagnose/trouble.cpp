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
    {"netplan-",
     N_("In /etc/netplan, below the interface: infiniband-mode: datagram (or connected); other properties below "
        "networkmanager: passthrough: ; then: netplan apply")},
    // net/network_manager.py: the mode is written together with an MTU only, and only from version 1
    {"cloud-init-",
     N_("In the network configuration of cloud-init: version: 1, type: infiniband, mtu: 2044; or network: "
        "{{config: disabled}} in /etc/cloud/cloud.cfg.d, and: nm-ib connection add type infiniband")},
    {"warewulf-", N_("In the template of the overlay; then: wwctl overlay build")},
};
} // namespace

const Generator *generator_of(std::string_view path) noexcept
{
    const auto name = path.substr(path.rfind('/') + 1);
    for (const auto &g : generators)
        if (name.starts_with(g.prefix)) return &g;
    return nullptr;
}

std::string seen(const Trouble &trouble, Translate translate) { return filled(trouble.kind->seen, trouble, translate); }
std::string why(const Trouble &trouble, Translate translate) { return filled(trouble.kind->why, trouble, translate); }
std::string mend(const Trouble &trouble, Translate translate)
{
    return filled(trouble.generator ? trouble.generator->mend : trouble.kind->mend, trouble, translate);
}

} // namespace nmib
