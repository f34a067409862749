// SPDX-License-Identifier: LGPL-2.1-or-later
#include "terminal/options.hpp"

#include "core/base/text.hpp"

#include <algorithm>

namespace nmib::cli
{

namespace
{
using Print = Options::Print;
using Colors = Options::Colors;

template<class T> bool pick(std::string_view word, T &to, std::initializer_list<std::pair<const char *, T>> choices)
{
    for (const auto &[name, value] : choices)
        if (begins(word, name)) {
            to = value;
            return true;
        }
    return false;
}

bool print_once(Options &o, Print how)
{
    if (o.print != Print::normal) return false;
    o.print = how;
    return true;
}

/// In nmcli's order: an abbreviation means the first match.
struct Option {
    const char *name;
    bool takes_value;
    bool (*apply)(Options &, const std::string &value);
};
constexpr Option known[] = {
    {"-overview", false, [](Options &, const std::string &) { return true; }},
    {"-offline", false, [](Options &o, const std::string &) { return o.offline = true; }},
    {"-terse", false, [](Options &o, const std::string &) { return print_once(o, Print::terse); }},
    {"-pretty", false, [](Options &o, const std::string &) { return print_once(o, Print::pretty); }},
    {"-mode", true,
     [](Options &o, const std::string &v) {
         return pick<std::optional<bool>>(v, o.multiline, {{"tabular", false}, {"multiline", true}});
     }},
    {"-colors", true,
     [](Options &o, const std::string &v) {
         return pick(v, o.colors, {{"auto", Colors::automatic}, {"yes", Colors::yes}, {"no", Colors::no}});
     }},
    {"-escape", true,
     [](Options &o, const std::string &v) {
         return pick(v, o.escape, {{"yes", true}, {"no", false}});
     }},
    {"-fields", true,
     [](Options &o, const std::string &v) {
         o.fields = v;
         return true;
     }},
    {"-get-values", true,
     [](Options &o, const std::string &v) {
         o.fields = v;
         o.print = Print::terse;
         if (!o.multiline) o.multiline = false;
         return true;
     }},
    {"-nocheck", false, [](Options &, const std::string &) { return true; }},
    {"-wait", true,
     [](Options &o, const std::string &v) {
         const auto seconds = parse_decimal(trim(v), INT32_MAX);
         o.wait = std::chrono::seconds(seconds.value_or(0));
         return seconds.has_value();
     }},
};

bool apply(const Option &option, std::string_view value, bool has_value, Args &args, Options &options)
{
    if (!option.takes_value) return option.apply(options, {});
    if (!has_value) {
        args.skip();
        if (args.empty()) return false;
        value = args.front();
    }
    return option.apply(options, std::string(value));
}
} // namespace

bool Args::has(std::string_view word) const
{
    return std::find(words_.begin() + static_cast<std::ptrdiff_t>(at_), words_.end(), word) != words_.end();
}

bool is_selector(std::string_view word) noexcept
{
    return std::find(std::begin(selectors), std::end(selectors), word) != std::end(selectors);
}

std::optional<Options> parse_options(Args &args)
{
    Options options;
    for (skip_options(args, options); !args.empty() && args.front().starts_with('-'); skip_options(args, options)) {
        if (args.front() == "--") {
            args.skip();
            skip_options(args, options);
            break;
        }
        std::string_view word = args.front();
        if (word.starts_with("--")) word.remove_prefix(1);
        const auto equals = word.find('=');
        const auto name = word.substr(0, equals);
        const Option *found = nullptr;
        for (const auto &o : known)
            if (begins(o.takes_value ? name : word, o.name)) {
                found = &o;
                break;
            }
        const bool has_value = equals != std::string_view::npos;
        const std::string value(has_value ? word.substr(equals + 1) : "");
        if (!found || !apply(*found, value, has_value, args, options)) return std::nullopt;
        args.skip();
    }
    return options;
}

bool take_own_option(Args &args, Options &options)
{
    if (args.empty()) return false;
    if (args.front() == "--strict")
        options.strict = true;
    else if (args.front() == "--with-parent")
        options.with_parent = true;
    else if (args.front() == "--json")
        options.json = true;
    else
        return false;
    args.skip();
    return true;
}

bool skip_option(Args &args, Options &options)
{
    if (args.empty()) return false;
    if (take_own_option(args, options)) return true;
    const bool ask = is_option(args.front(), "ask");
    if (!ask && !is_option(args.front(), "show-secrets")) return false;
    options.ask |= ask;
    args.skip();
    return true;
}

void skip_options(Args &args, Options &options)
{
    while (skip_option(args, options)) {
    }
}

} // namespace nmib::cli
