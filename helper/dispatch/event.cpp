// SPDX-License-Identifier: LGPL-2.1-or-later
#include "dispatch/event.hpp"

#include "core/base/printable.hpp"

namespace nmib
{

namespace
{
std::optional<Event::Action> parse_action(std::string_view text) noexcept
{
    if (text == "pre-up") return Event::Action::pre_up;
    if (text == "up") return Event::Action::up;
    if (text == "reapply") return Event::Action::reapply;
    if (text == "down") return Event::Action::down;
    return std::nullopt;
}
} // namespace

Result<std::optional<Event>> parse_event(int argc, const char *const *argv, Environment environment)
{
    if (argc != 3)
        return Error{Error::Kind::invalid,
                     "usage: nm-ib-dispatcher INTERFACE ACTION (NetworkManager's dispatcher calls it)"};
    const auto action = parse_action(argv[2]);
    const std::string_view name = argv[1];
    if (!action || name.empty() || name == "none") return std::optional<Event>();
    const auto variable = [&](const char *key) {
        const char *v = environment(key);
        return std::string(v ? v : "");
    };
    if (variable("CONNECTION_EXTERNAL") == "1") return std::optional<Event>();
    const auto link = IfName::parse(name);
    if (!link) return Error{Error::Kind::invalid, "'" + printable(name) + "' is no interface name"};
    return std::optional(
        Event{*link, *action, variable("CONNECTION_UUID"), variable("CONNECTION_ID"), variable("CONNECTION_FILENAME")});
}

} // namespace nmib
