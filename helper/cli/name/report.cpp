// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/name/report.hpp"

#include "cli/connection/advice.hpp"
#include "cli/name/initramfs.hpp"

#include <unistd.h>

namespace nmib::cli
{

Json json_of(const PortIdentity &port)
{
    Json j = {{"port", port.label()}, {"hca", port.hca}, {"number", port.number}, {"bus", port.bus}};
    j["guid"] = port.guid.str();
    j["interface"] = port.interface ? Json(port.interface->name.str()) : Json();
    return j;
}

Json json_of(const NameState &state)
{
    return {{"name", state.name.str()}, {"file", state.own->path}, {"state", id(state.code)}, {"text", text(state)}};
}

std::string tell_initramfs(const NameRequest &request)
{
    const auto command = initramfs_command();
    const auto of_image = initramfs_of_image();
    if (command.empty() && of_image.empty()) return "none";
    const auto typed = of_image.empty() ? join(command, " ") : of_image;
    if (!request.initramfs || !of_image.empty()) {
        note(form(
            _("the initramfs still has the old names, which count if it loads ib_ipoib. To bring it up to date: %s"),
            typed.c_str()));
        return "left";
    }
    if (::isatty(STDERR_FILENO)) note(form(_("making the initramfs anew: %s"), typed.c_str()));
    if (const auto done = update_initramfs(command); !done) {
        note(form(_("warning: %s"), done.error().what.c_str()));
        return "failed";
    }
    return "updated";
}

} // namespace nmib::cli
