// SPDX-License-Identifier: LGPL-2.1-or-later
/// name [list | set | unset | check | propose | import] ...
#include "cli/name/command.hpp"

#include "cli/verb/verbs.hpp"
#include "core/printable.hpp"
#include "core/translate.hpp"

#include <algorithm>

namespace nmib::cli
{

namespace
{
using Match = NameRequest::Match;
using Flag = NameFlag;

constexpr Flag json{"--json", &NameRequest::json}, dry_run{"--dry-run", &NameRequest::dry_run},
    yes{"--yes", &NameRequest::yes}, force{"--force", &NameRequest::force}, now{"--now", &NameRequest::now},
    keep_old_name{"--keep-old-name", &NameRequest::keep_old_name},
    no_initramfs{"--no-initramfs", &NameRequest::initramfs, false};
constexpr Flag for_list[] = {json}, for_unset[] = {json, dry_run, force, no_initramfs},
               for_set[] = {json, dry_run, force, now, keep_old_name, no_initramfs},
               for_propose[] = {json, dry_run, yes, now, keep_old_name, no_initramfs},
               for_import[] = {json, dry_run, yes, force, no_initramfs};

constexpr NameCommand commands[] = {
    {"list", 0, for_list, false, list_names, N_("Usage: nm-ib name [list] [--json]")},
    {"set", 2, for_set, true, set_name,
     N_("Usage: nm-ib name set PORT NAME [--match guid|path] [--keep-old-name] [--now] [--force] "
        " [--no-initramfs] [--dry-run] [--json]")},
    {"unset", 1, for_unset, false, unset_name,
     N_("Usage: nm-ib name unset PORT|NAME [--force] [--no-initramfs] [--dry-run] [--json]")},
    {"check", 0, for_list, false, check_names, N_("Usage: nm-ib name check [--json]")},
    {"propose", 0, for_propose, false, propose_names_verb,
     N_("Usage: nm-ib name propose [--yes] [--now] [--keep-old-name] [--no-initramfs] [--dry-run] [--json]")},
    {"import", 0, for_import, false, import_names,
     N_("Usage: nm-ib name import [--yes] [--force] [--no-initramfs] [--dry-run] [--json]")},
};

const char *general_usage()
{
    return _("Usage: nm-ib name [list | set PORT NAME | unset PORT|NAME | check | propose | import] [OPTION...]\n"
             "\n"
             "  list      every InfiniBand port, its interface, the name it was given, and whether that holds\n"
             "  set       gives the interface of a port a name that stays, by a systemd .link file\n"
             "  unset     takes such a name away\n"
             "  check     whether every name holds; exit status 1 if not\n"
             "  propose   names for all ports that have none: shows them, and writes them with --yes\n"
             "  import    the same for names that others gave by an address, which does not stay: .link files, udev\n"
             "            rules, ifcfg files, profiles with a mac-address\n"
             "\n"
             "PORT is an interface (ib0), a port GUID, an HCA and port (mlx4_0/1), or a PCI address and port\n"
             "(0000:05:00.0/1). nm-ib-name(1) has the options.");
}

constexpr MatchWord matches[] = {{"guid", Match::guid}, {"path", Match::path}};

/// The options, and the words between them.
std::optional<Failure> read(Args &args, const NameCommand &command, NameRequest &request)
{
    const auto wrong = [&] { return Failure{exit_usage, _(command.usage)}; };
    while (!args.empty()) {
        auto word = args.take();
        if (!word.starts_with('-')) {
            request.words.push_back(std::move(word));
            continue;
        }
        if (command.matches && (word == "--match" || word.starts_with("--match="))) {
            if (word == "--match" && args.empty()) return wrong();
            const auto value = word == "--match" ? args.take() : word.substr(8);
            const auto match = std::find_if(std::begin(matches), std::end(matches),
                                            [&](const MatchWord &m) { return value == m.word; });
            if (match == std::end(matches))
                return Failure{exit_usage,
                               form(_("Error: --match takes guid or path, not '%s'."), printable(value).c_str())};
            request.match = match->match;
            continue;
        }
        const auto flag =
            std::find_if(command.flags.begin(), command.flags.end(), [&](const Flag &f) { return word == f.word; });
        if (flag == command.flags.end())
            return Failure{exit_usage, form(_("Error: '%s' is no option of nm-ib name %s. %s"), printable(word).c_str(),
                                            command.word, _(command.usage))};
        request.*flag->field = flag->value;
    }
    if (request.words.size() != command.words) return wrong();
    return {};
}
} // namespace

std::span<const NameCommand> name_commands() noexcept { return commands; }

const NameCommand *find_name_command(const std::string &word) noexcept
{
    const auto found = std::find_if(std::begin(commands), std::end(commands),
                                    [&](const NameCommand &c) { return begins(word, c.word); });
    return found == std::end(commands) ? nullptr : found;
}

std::span<const MatchWord> match_words() noexcept { return matches; }

std::optional<Failure> name_ports(Invocation &in)
{
    auto word = in.args.empty() || in.args.front().starts_with("--") ? std::string("list") : in.args.take();
    if (is_help(word) || (word == "list" && !in.args.empty() && is_help(in.args.front()))) {
        print(std::string(general_usage()) + "\n");
        return {};
    }
    const auto *command = find_name_command(word);
    if (!command)
        return Failure{exit_usage, form(_("Error: 'name' has no '%s'. To see what there is: nm-ib name help"),
                                        printable(word).c_str())};
    if (!in.args.empty() && is_help(in.args.front())) {
        print(std::string(_(command->usage)) + "\n");
        return {};
    }
    NameRequest request{.print = in.options};
    if (auto failure = read(in.args, *command, request)) return failure;
    return command->verb(request);
}

} // namespace nmib::cli
