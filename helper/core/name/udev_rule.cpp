// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/name/udev_rule.hpp"

#include "core/base/text.hpp"

#include <algorithm>
#include <fnmatch.h>

namespace nmib
{

namespace
{
using Operator = UdevRule::Operator;
using Token = UdevRule::Token;

constexpr std::string_view white = " \t\n\r";

void skip(std::string_view &text, std::string_view characters)
{
    text.remove_prefix(std::min(text.find_first_not_of(characters), text.size()));
}

bool take_operator(std::string_view &text, Token &token)
{
    const auto size = text.starts_with('=') && !text.starts_with("==") ? 1U : 2U;
    if (size == 2 && (text.size() < 2 || text[1] != '=' || std::string_view("=!+-:").find(text[0]) == text.npos))
        return false;
    token.op = text.starts_with("==")   ? Operator::match
               : text.starts_with("!=") ? Operator::no_match
                                        : Operator::assign;
    text.remove_prefix(size);
    return true;
}

/// udev-rules.c, parse_line: KEY{attribute} OPERATOR "value"; the value may also be e"..." or i"...".
bool take_token(std::string_view &text, Token &token)
{
    const auto end = text.find_first_of(" \t\n\r={+-!:");
    if (end == text.npos || end == 0) return false;
    token.key = text.substr(0, end);
    text.remove_prefix(end);
    if (text.starts_with('{')) {
        const auto brace = text.find('}');
        if (brace == text.npos) return false;
        token.attribute = text.substr(1, brace - 1);
        text.remove_prefix(brace + 1);
    }
    skip(text, white);
    if (!take_operator(text, token)) return false;
    skip(text, white);
    while (text.starts_with('e') || text.starts_with('i')) {
        token.is_plain = false;
        text.remove_prefix(1);
    }
    if (!text.starts_with('"')) return false;
    for (text.remove_prefix(1); !text.empty() && text[0] != '"'; text.remove_prefix(1)) {
        if (text.starts_with("\\\"")) text.remove_prefix(1);
        token.value += text[0];
    }
    if (text.empty()) return false;
    text.remove_prefix(1);
    return true;
}

/// Parses a complete line; no tokens if udev refuses it.
std::vector<Token> parse(std::string_view line)
{
    std::vector<Token> tokens;
    while (skip(line, " \t\n\r,"), !line.empty())
        if (!take_token(line, tokens.emplace_back())) return {};
    return tokens;
}

/// Matches the globs between '|'.
Verdict holds(const Token &token, const std::string &text)
{
    bool found = false;
    for (std::size_t from = 0, end = 0; end != token.value.npos; from = end + 1) {
        end = token.value.find('|', from);
        const auto one = token.value.substr(from, end == token.value.npos ? end : end - from);
        found = found || ::fnmatch(one.c_str(), text.c_str(), 0) == 0;
    }
    return found == (token.op == Operator::match) ? Verdict::yes : Verdict::no;
}

Verdict name_holds(const Token &token, const PortIdentity &port)
{
    return original_name_holds(port, [&](const std::string &name) { return holds(token, name) == Verdict::yes; });
}

/// Matches a file in the interface's sysfs directory, if the value is known.
Verdict attribute_holds(const Token &token, const PortIdentity &port)
{
    const auto &name = token.attribute;
    if (name == "type") return holds(token, "32"); // ARPHRD_INFINIBAND
    if (name == "dev_port") return holds(token, std::to_string(port.number - 1));
    if (name == "dev_id") return holds(token, hex(port.number - 1, 1));
    if (name == "address" && port.interface) return holds(token, port.interface->address.str());
    return Verdict::perhaps;
}

/// Matches a property from an earlier rule, as in udev's database; those of the event alone are unknown.
Verdict property_holds(const Token &token, const PortIdentity &port)
{
    if (token.attribute == "INTERFACE") return name_holds(token, port);
    const auto value = port.property(token.attribute);
    if (!port.interface || (value.empty() && !token.attribute.starts_with("ID_"))) return Verdict::perhaps;
    return holds(token, value);
}

/// Matches any device between interface and root; only the HCA is known here. Every machine has rules for other drivers
/// and buses (73-special-net-names.rules), so these do not count as `perhaps`.
Verdict parent_holds(const Token &token, const PortIdentity &port)
{
    if (token.key == "SUBSYSTEMS") return std::max(holds(token, "net"), holds(token, "pci"));
    if (token.key == "DRIVERS") return port.driver.empty() ? Verdict::perhaps : holds(token, port.driver);
    if (token.key == "ATTRS") return attribute_holds(token, port);
    const bool is_port = holds(token, port.bus) == Verdict::yes || name_holds(token, port) == Verdict::yes;
    return is_port ? Verdict::yes : Verdict::perhaps; // KERNELS
}

Verdict holds(const Token &token, const PortIdentity &port)
{
    const auto &key = token.key;
    if (key == "PROGRAM" || key == "IMPORT") return Verdict::perhaps; // conditions with any operator
    if (!token.is_match()) return Verdict::yes;
    if (!token.is_plain) return Verdict::perhaps;
    if (key == "ACTION") return holds(token, "add");
    if (key == "SUBSYSTEM") return holds(token, "net");
    if (key == "KERNEL") return name_holds(token, port);
    if (key == "ATTR") return attribute_holds(token, port);
    if (key == "ENV") return property_holds(token, port);
    if (key == "KERNELS" || key == "SUBSYSTEMS" || key == "DRIVERS" || key == "ATTRS") return parent_holds(token, port);
    return Verdict::perhaps; // DRIVER, NAME, TEST, RESULT, SYSCTL ...
}
} // namespace

const std::string *UdevRule::matched(std::string_view key, std::string_view attribute) const
{
    const auto found = std::find_if(tokens.rbegin(), tokens.rend(), [&](const Token &t) {
        return t.op == Operator::match && t.key == key && t.attribute == attribute;
    });
    return found == tokens.rend() ? nullptr : &found->value;
}

const std::string *UdevRule::name() const
{
    const auto found =
        std::find_if(tokens.rbegin(), tokens.rend(), [](const Token &t) { return t.key == "NAME" && !t.is_match(); });
    // "Ignoring NAME="%k", as it will take no effect"
    return found == tokens.rend() || found->value.empty() || found->value == "%k" ? nullptr : &found->value;
}

std::vector<UdevRule> parse_udev_rules(std::string_view text)
{
    std::vector<UdevRule> rules;
    std::string whole;
    unsigned first = 0;
    for (unsigned number = 1; !text.empty(); number++) {
        auto line = take(text);
        skip(line, white);
        if (line.starts_with('#')) continue; // also between continued lines
        if (first == 0) first = number;
        const bool goes_on = line.ends_with('\\');
        whole += goes_on ? line.substr(0, line.size() - 1) : line;
        if (goes_on) continue;
        if (auto tokens = parse(whole); !tokens.empty()) rules.push_back({std::move(tokens), first, number});
        whole.clear();
        first = 0;
    }
    return rules;
}

Verdict matches(const UdevRule &rule, const PortIdentity &port)
{
    auto verdict = Verdict::yes;
    for (const auto &t : rule.tokens) verdict = std::min(verdict, holds(t, port));
    return verdict;
}

} // namespace nmib
