// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/name/report.hpp"

#include "cli/fabric/advice.hpp"
#include "cli/name/initramfs.hpp"

#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace nmib::cli
{

using Json = nlohmann::ordered_json;

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

void print_json(const Json &all) { print(all.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n"); }

bool agrees(const char *question)
{
    if (!::isatty(STDIN_FILENO) || !::isatty(STDOUT_FILENO)) return false;
    print(question);
    std::fflush(stdout);
    std::array<char, 64> answer{};
    const auto n = ::read(STDIN_FILENO, answer.data(), answer.size());
    const auto word = strip(std::string_view(answer.data(), n > 0 ? static_cast<std::size_t>(n) : 0));
    return word == "y" || word == "yes" || word == _("yes");
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
