// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/link_file/udev_rule.hpp"

#include "core/number.hpp"

#include <algorithm>
#include <array>

namespace nmib
{

namespace
{
using Operator = UdevRule::Operator;
using Token = UdevRule::Token;

constexpr std::string_view white = " \t\n\r";
constexpr std::size_t longest = 16384; // UDEV_LINE_SIZE

enum class Attribute { none, needed, optional };
enum class Use { match, assign, both, plain_assign };
struct Key {
    std::string_view name;
    Attribute attribute;
    Use use;
};
// parse_token() and rule_add_line()
constexpr std::array keys{
    Key{"ACTION", Attribute::none, Use::match},      Key{"ATTR", Attribute::needed, Use::both},
    Key{"ATTRS", Attribute::needed, Use::match},     Key{"CONST", Attribute::needed, Use::match},
    Key{"DEVPATH", Attribute::none, Use::match},     Key{"DRIVER", Attribute::none, Use::match},
    Key{"DRIVERS", Attribute::none, Use::match},     Key{"ENV", Attribute::needed, Use::both},
    Key{"GOTO", Attribute::none, Use::plain_assign}, Key{"GROUP", Attribute::none, Use::assign},
    Key{"IMPORT", Attribute::needed, Use::both},     Key{"KERNEL", Attribute::none, Use::match},
    Key{"KERNELS", Attribute::none, Use::match},     Key{"LABEL", Attribute::none, Use::plain_assign},
    Key{"MODE", Attribute::none, Use::assign},       Key{"NAME", Attribute::none, Use::both},
    Key{"OPTIONS", Attribute::none, Use::assign},    Key{"OWNER", Attribute::none, Use::assign},
    Key{"PROGRAM", Attribute::none, Use::both},      Key{"RESULT", Attribute::none, Use::match},
    Key{"RUN", Attribute::optional, Use::assign},    Key{"SECLABEL", Attribute::needed, Use::assign},
    Key{"SUBSYSTEM", Attribute::none, Use::match},   Key{"SUBSYSTEMS", Attribute::none, Use::match},
    Key{"SYMLINK", Attribute::none, Use::both},      Key{"SYSCTL", Attribute::needed, Use::both},
    Key{"TAG", Attribute::none, Use::both},          Key{"TAGS", Attribute::none, Use::match},
    Key{"TEST", Attribute::optional, Use::match}};

bool is_good(const Token &token)
{
    const auto key = std::find_if(keys.begin(), keys.end(), [&](const Key &k) { return k.name == token.key; });
    if (key == keys.end()) return false;
    if (key->attribute != Attribute::optional && token.attribute.empty() != (key->attribute == Attribute::none))
        return false;
    if (token.op == Operator::remove && token.key != "TAG" && token.key != "SYMLINK") return false;
    if (key->use == Use::plain_assign) return token.op == Operator::assign;
    if (key->use == Use::assign) return !token.is_match();
    if (key->use == Use::match) return token.is_match();
    // "Ignoring NAME="%k", as it will take no effect", and no name at all
    return token.key != "NAME" || token.is_match() || (token.value != "%k" && !token.value.empty());
}

std::optional<Operator> parse_operator(std::string_view text)
{
    if (text.starts_with("==")) return Operator::match;
    if (text.starts_with("!=")) return Operator::no_match;
    if (text.starts_with("+=")) return Operator::add;
    if (text.starts_with("-=")) return Operator::remove;
    if (text.starts_with(":=")) return Operator::assign_final;
    return text.starts_with('=') ? std::optional(Operator::assign) : std::nullopt;
}

/// One escape of C in front of `text`; nothing when it is none. \u and \U stay as they are written: no name and no
/// attribute of a port has such characters.
std::optional<std::string> unescape(std::string_view &text)
{
    constexpr std::string_view names = "abfnrtv\\\"'s", values = "\a\b\f\n\r\t\v\\\"' ";
    const char c = text[1];
    if (const auto at = names.find(c); at != names.npos) {
        text.remove_prefix(2);
        return std::string(1, values[at]);
    }
    if (c == 'u' || c == 'U') {
        text.remove_prefix(2);
        return std::string{'\\', c};
    }
    const bool is_hex = c == 'x';
    if (text.size() < 4) return {};
    unsigned v = 0;
    for (const char d : text.substr(is_hex ? 2 : 1, is_hex ? 2 : 3)) {
        const auto digit = parse_hex(std::string_view(&d, 1), is_hex ? 15 : 7);
        if (!digit) return {};
        v = v * (is_hex ? 16 : 8) + static_cast<unsigned>(*digit);
    }
    text.remove_prefix(4);
    return v == 0 || v > 255 ? std::nullopt : std::optional(std::string(1, static_cast<char>(v)));
}

/// The value in double quotes; `text` is what follows it. Only in e"..." has a backslash more to say than \".
bool take_value(std::string_view &text, Token &token)
{
    bool escaped = false;
    for (; !text.empty() && (text[0] == 'e' || text[0] == 'i'); text.remove_prefix(1))
        (text[0] == 'e' ? escaped : token.any_case) = true;
    if (!text.starts_with('"')) return false;
    text.remove_prefix(1);
    while (!text.empty() && text[0] != '"') {
        if (escaped && text[0] == '\\') {
            const auto c = text.size() > 1 ? unescape(text) : std::nullopt;
            if (!c) return false;
            token.value += *c;
            continue;
        }
        if (text.starts_with("\\\"")) text.remove_prefix(1);
        token.value += text[0];
        text.remove_prefix(1);
    }
    if (text.empty()) return false;
    text.remove_prefix(1);
    return true;
}

void skip(std::string_view &text, std::string_view characters)
{
    text.remove_prefix(std::min(text.find_first_not_of(characters), text.size()));
}

/// parse_line()
bool take_token(std::string_view &text, Token &token)
{
    const auto end = text.find_first_of(" \t\n\r={+-!:");
    if (end == text.npos) return false;
    token.key = text.substr(0, end);
    text.remove_prefix(end);
    if (text.starts_with('{')) {
        const auto brace = text.find('}');
        if (brace == text.npos || brace == 1) return false;
        token.attribute = text.substr(1, brace - 1);
        text.remove_prefix(brace + 1);
    }
    skip(text, white);
    const auto op = parse_operator(text);
    if (!op) return false;
    token.op = *op;
    text.remove_prefix(*op == Operator::assign ? 1 : 2);
    skip(text, white);
    return take_value(text, token) && is_good(token);
}

/// A whole line; no token when udev refuses it.
std::vector<Token> parse(std::string_view line)
{
    std::vector<Token> tokens;
    while (skip(line, " \t\n\r,"), !line.empty()) {
        Token token;
        if (!take_token(line, token)) return {};
        tokens.push_back(std::move(token));
    }
    return tokens;
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
    return found == tokens.rend() ? nullptr : &found->value;
}

std::vector<UdevRule> parse_udev_rules(std::string_view text)
{
    std::vector<UdevRule> rules;
    std::string whole;
    unsigned first = 0;
    for (unsigned number = 1; !text.empty(); number++) {
        auto line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        skip(line, white);
        if (line.starts_with('#')) continue; // also between continued lines
        if (first == 0) first = number;
        const bool goes_on = line.ends_with('\\');
        whole += goes_on ? line.substr(0, line.size() - 1) : line;
        if (goes_on) continue;
        if (whole.size() < longest)
            if (auto tokens = parse(whole); !tokens.empty()) rules.push_back({std::move(tokens), first, number});
        whole.clear();
        first = 0;
    }
    return rules;
}

} // namespace nmib
