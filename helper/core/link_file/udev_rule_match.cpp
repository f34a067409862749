// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/link_file/port_name.hpp"
#include "core/link_file/udev_rule.hpp"
#include "core/number.hpp"

#include <algorithm>
#include <fnmatch.h>

namespace nmib
{

namespace
{
using Token = UdevRule::Token;

/// The alternatives between '|', each of them a glob where there is a character of one in the value.
bool is_one_of(const Token &token, const std::string &text)
{
    const bool is_glob = token.value.find_first_of("*?[") != token.value.npos;
    for (std::size_t from = 0, end = 0; end != token.value.npos; from = end + 1) {
        end = token.value.find('|', from);
        const auto one = token.value.substr(from, end == token.value.npos ? end : end - from);
        if (is_glob || token.any_case) {
            if (::fnmatch(one.c_str(), text.c_str(), token.any_case ? FNM_CASEFOLD : 0) == 0) return true;
        } else if (one == text) {
            return true;
        }
    }
    return false;
}

Verdict holds(const Token &token, const std::string &text)
{
    return is_one_of(token, text) == (token.op == UdevRule::Operator::match) ? Verdict::yes : Verdict::no;
}

Verdict holds(const Token &token, const std::optional<std::string> &text)
{
    return text ? holds(token, *text) : Verdict::perhaps;
}

/// The name at the event is the kernel's, ib<N>, or the one that the initramfs gave. Once there is another, N is not
/// known any more.
Verdict name_holds(const Token &token, const PortIdentity &port)
{
    const auto now = port.interface ? port.interface->name.str() : std::string{};
    if (fault(now) == NameFault::kernel_like) return holds(token, now);
    int yes = 0, all = 0;
    const auto count = [&](const std::string &name) {
        yes += holds(token, name) != Verdict::no;
        all++;
    };
    for (int n = 0; n < 100; n++) count("ib" + std::to_string(n));
    if (port.interface) count(now);
    return yes == 0 ? Verdict::no : yes == all ? Verdict::yes : Verdict::perhaps;
}

bool is_of_interface(const std::string &attribute)
{
    return attribute == "address" || attribute == "type" || attribute == "dev_port" || attribute == "dev_id";
}

/// A file of the interface's directory in sysfs, as far as it is known.
std::optional<std::string> attribute(const std::string &name, const PortIdentity &port)
{
    if (name == "type") return "32"; // ARPHRD_INFINIBAND
    if (name == "dev_port") return std::to_string(port.number - 1);
    if (name == "dev_id") return hex(port.number - 1, 1);
    if (name == "address" && port.interface) return port.interface->address.str();
    return {};
}

/// What an earlier rule has set, as udev keeps it; what udev has only during an event is not known.
Verdict property_holds(const Token &token, const PortIdentity &port)
{
    const auto &name = token.attribute;
    if (name == "INTERFACE") return name_holds(token, port);
    if (name == "SUBSYSTEM") return holds(token, std::string("net"));
    if (name == "ACTION") return holds(token, std::string("add"));
    if (!port.interface || (port.property(name).empty() && !name.starts_with("ID_"))) return Verdict::perhaps;
    return holds(token, port.property(name));
}

bool is_of_parents(const Token &token)
{
    return token.key == "KERNELS" || token.key == "SUBSYSTEMS" || token.key == "DRIVERS" || token.key == "ATTRS" ||
           token.key == "TAGS";
}

/// One such condition for the interface itself, with which udev begins.
Verdict holds_for_interface(const Token &token, const PortIdentity &port)
{
    if (token.key == "KERNELS") return name_holds(token, port);
    if (token.key == "SUBSYSTEMS") return holds(token, std::string("net"));
    if (token.key == "DRIVERS") return holds(token, std::string{});
    return token.key == "ATTRS" ? holds(token, attribute(token.attribute, port)) : Verdict::perhaps;
}

/// The same for the HCA's own device.
Verdict holds_for_device(const Token &token, const PortIdentity &port)
{
    if (token.key == "KERNELS" && !port.bus.empty()) return holds(token, port.bus);
    if (token.key == "DRIVERS" && !port.driver.empty()) return holds(token, port.driver);
    if (token.key == "SUBSYSTEMS" && !port.parents.empty()) return holds(token, port.parents.front().subsystem);
    return token.key == "ATTRS" && is_of_interface(token.attribute) ? Verdict::no : Verdict::perhaps;
}

/// And for what that is connected to; null: nothing is known of it.
Verdict holds_beyond(const Token &token, const ParentDevice *parent)
{
    if (token.key == "SUBSYSTEMS" && parent) return holds(token, parent->subsystem);
    if (token.key == "DRIVERS" && parent) return holds(token, parent->driver);
    return token.key == "ATTRS" && is_of_interface(token.attribute) ? Verdict::no : Verdict::perhaps;
}

/// All of them have to hold for one device of the chain.
Verdict parents_hold(const UdevRule &rule, const PortIdentity &port)
{
    const auto all_hold = [&](const auto &holds_for_it) {
        auto verdict = Verdict::yes;
        for (const auto &t : rule.tokens)
            if (is_of_parents(t)) verdict = std::min(verdict, holds_for_it(t));
        return verdict;
    };
    auto verdict = std::max(all_hold([&](const Token &t) { return holds_for_interface(t, port); }),
                            all_hold([&](const Token &t) { return holds_for_device(t, port); }));
    if (port.parents.empty())
        return std::max(verdict, all_hold([](const Token &t) { return holds_beyond(t, nullptr); }));
    for (std::size_t i = 1; i < port.parents.size(); i++)
        verdict = std::max(verdict, all_hold([&](const Token &t) { return holds_beyond(t, &port.parents[i]); }));
    return verdict;
}

Verdict holds(const Token &token, const PortIdentity &port)
{
    const auto &key = token.key;
    if (key == "PROGRAM" || key == "IMPORT") return Verdict::perhaps; // conditions, whatever their operator
    if (!token.is_match()) return Verdict::yes;
    if (key == "ACTION") return holds(token, std::string("add"));
    if (key == "SUBSYSTEM") return holds(token, std::string("net"));
    if (key == "DRIVER") return holds(token, std::string{});
    if (key == "KERNEL") return name_holds(token, port);
    if (key == "ATTR") return holds(token, attribute(token.attribute, port));
    if (key == "ENV") return property_holds(token, port);
    return Verdict::perhaps; // NAME, TEST, RESULT, SYSCTL ...
}
} // namespace

Verdict matches(const UdevRule &rule, const PortIdentity &port)
{
    auto verdict = Verdict::yes;
    bool parents = false;
    for (const auto &t : rule.tokens) {
        parents = parents || is_of_parents(t);
        if (!is_of_parents(t)) verdict = std::min(verdict, holds(t, port));
        if (t.any_case) verdict = std::min(verdict, Verdict::perhaps); // an older udev refuses the line
    }
    return parents ? std::min(verdict, parents_hold(rule, port)) : verdict;
}

} // namespace nmib
