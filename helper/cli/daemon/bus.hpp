// SPDX-License-Identifier: LGPL-2.1-or-later
/// The system bus, for a program that asks a few questions and ends. A GDBusConnection has a thread of its own and says
/// hello in five turns, which takes as long as all the questions; here GIO only writes and reads the messages.
#pragma once
#include "cli/base/gobject.hpp"
#include "cli/base/words.hpp"
#include "cli/daemon/wire.hpp"
#include "probe/unique_fd.hpp"

#include <chrono>
#include <cstdint>
#include <map>

namespace nmib::cli
{

class Bus
{
public:
    struct Call {
        const char *service, *path, *interface, *method;
        GVariant *args;    ///< floating, or null for none
        const char *reply; ///< the type of the answer
    };
    /// What tells the answer to one call from others.
    struct Ticket {
        std::uint32_t serial;
        const char *reply;
    };

    /// Object paths, in the message that brought them.
    struct Paths {
        std::unique_ptr<const std::string> message{};
        wire::Paths all{};
    };

    /// The failure is in GIO's words.
    static Result<Bus> open();

    /// Notes a call, for the next `send`.
    Ticket post(const Call &call);
    /// Sends what was posted, so that it is worked on while we do something else.
    Result<void> send();
    /// Sends what was posted and waits. What a service answers as an error comes in its own words.
    Result<Variant> answer(const Ticket &ticket);
    /// The same for a list of object paths, however long.
    Result<Paths> answer_paths(const Ticket &ticket);
    /// What the last PropertiesChanged signal that came told, if that was the object paths of this property alone.
    /// Signals come to those who have asked the bus for them.
    std::optional<Paths> told_paths(std::string_view property);

private:
    using Clock = std::chrono::steady_clock;

    explicit Bus(UniqueFd fd);
    Result<void> receive(Clock::time_point deadline);
    Result<bool> take_message();
    Result<std::string> wait(const Ticket &ticket);

    UniqueFd fd_;
    std::string out_, in_;
    bool greeted_ = false;
    std::uint32_t serial_ = 0;
    std::map<std::uint32_t, std::string> answers_; ///< by what they answer
    std::string told_;
};

} // namespace nmib::cli
