// SPDX-License-Identifier: LGPL-2.1-or-later
#include "dispatch/event.hpp"

#include "core/base/text.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <linux/capability.h>
#include <string_view>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

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
    if (!link) return Error{Error::Kind::invalid, "'" + printable(name) + "' is not an interface name"};
    return std::optional(
        Event{*link, *action, variable("CONNECTION_UUID"), variable("CONNECTION_ID"), variable("CONNECTION_FILENAME")});
}

namespace
{
void too_late(int) noexcept
{
    constexpr std::string_view line = "<3>nm-ib: the kernel did not answer in time, skipping the rest of this event\n";
    (void)!::write(STDERR_FILENO, line.data(), line.size());
    ::_exit(1);
}
} // namespace

Result<void> confine()
{
    // Replaces a smaller bounding set, which needs CAP_SETPCAP; SELinux policies may deny that.
    if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return sys_error(errno, "no_new_privs");
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    std::array<__user_cap_data_struct, 2> data{};
    data[0].effective = data[0].permitted = 1U << CAP_NET_ADMIN;
    if (::syscall(SYS_capset, &header, data.data()) != 0) return sys_error(errno, "capabilities");
    return {};
}

void set_deadline(unsigned seconds) noexcept
{
    struct sigaction action {
    };
    action.sa_handler = too_late;
    ::sigaction(SIGALRM, &action, nullptr);
    ::alarm(seconds);
}

void wait_outside_queue(unsigned seconds) noexcept
{
    if (const auto pid = ::fork(); pid > 0) ::_exit(0);
    ::setsid();
    while (seconds > 0) seconds = ::sleep(seconds);
    set_deadline(30); // the new process has no alarm
}

} // namespace nmib
