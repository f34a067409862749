// SPDX-License-Identifier: LGPL-2.1-or-later
#include "verbs/connection/rdma_words.hpp"

#include "apply/rdma/words.hpp"
#include "core/base/text.hpp"
#include "nm/profile.hpp"
#include "nm/profiles.hpp"
#include "probe/rdma/facts.hpp"
#include "verbs/connection/connection.hpp"

#include <algorithm>
#include <cstdio>
#include <unistd.h>

namespace nmib::cli
{

namespace
{
std::string_view short_name(const RdmaWord &word) { return word.name.substr(sizeof("rdma.") - 1); }
Failure refused_word(const std::string &why) { return refused(why + "."); }

Failure not_saved()
{
    return refused_word(_("rdma.* words: only with a saved profile, not with --offline, --temporary or save no"));
}

/// Returns why a GUID has no virtual function; empty if all have one, or if the profile sets no sriov.total-vfs.
std::string without_function(NMConnection *connection, const RdmaWords &words)
{
    auto *sriov = nm_connection_get_setting(connection, NM_TYPE_SETTING_SRIOV);
    const auto total = sriov ? nm_setting_sriov_get_total_vfs(NM_SETTING_SRIOV(sriov)) : 0U;
    if (total == 0 || !words.vf_guids || words.vf_guids->of.empty()) return {};
    const auto highest = words.vf_guids->of.rbegin()->first;
    if (highest < total) return {};
    return form("rdma.vf-guids has a GUID for virtual function {}, and with sriov.total-vfs {} the highest is {}",
                highest, total, total - 1);
}
} // namespace

Status take_rdma_words(Draft &draft)
{
    const auto &typed = draft.typed.rdma();
    auto *connection = draft.connection.get();
    if (typed.empty() && (draft.offline || !nm_connection_get_setting(connection, NM_TYPE_SETTING_SRIOV))) return {};
    if (draft.offline) return not_saved();
    const auto type = str(nm_setting_connection_get_connection_type(draft.base()));
    const auto port_of = str(nm_setting_connection_get_slave_type(draft.base()));
    const auto read = rdma_words_of(connection);
    if (typed.empty() && (!read || !read->bad.empty())) return {}; // the change does not concern the words
    if (!read) return failed(read.error().what);
    if (!read->bad.empty())
        return failed(std::string(words_directory) + "/" + str(nm_connection_get_uuid(connection)) + ": " +
                      read->bad.front().text(translate) + ".");
    auto values = read->values;
    for (const auto &[name, value] : typed) {
        const auto *word = find_rdma_word(name);
        if (!word) return refused_word(form("unknown word {}", printable(name)));
        const auto taken_back = value.empty() || value == "none";
        if (const auto why = refusal(*word, type, port_of); why && !taken_back)
            return refused_word(why->text(translate));
        values[std::string(short_name(*word))] = value;
    }
    RdmaWords words;
    for (const auto &[name, value] : values)
        if (const auto r = set(words, *find_rdma_word("rdma." + name), value); !r)
            return refused_word(r.error().text(translate));
    if (!words.empty() && is_private_profile(connection))
        return refused_word(private_profile_refusal().text(translate));
    if (const auto why = without_function(connection, words); !why.empty()) return refused_word(why);
    if (typed.empty()) return {};
    std::erase_if(values, [](const auto &v) { return v.second.empty(); });
    draft.rdma = values;
    return {};
}

Status store_with_words(const Draft &draft, bool save, const std::function<Status()> &store)
{
    if (!draft.rdma) return store();
    if (!save) return not_saved();
    const auto uuid = str(nm_connection_get_uuid(draft.connection.get()));
    const auto before = read_rdma_words(words_directory, uuid);
    // First the words: saving a profile with autoconnect activates it.
    if (const auto r = write_rdma_words(words_directory, uuid, *draft.rdma); !r)
        return Failure{exit_failed, ::geteuid() != 0
                                        ? std::string(_("Error: only root can write rdma.* words."))
                                        : form("Error: rdma.* words cannot be written: {}", r.error().what)};
    auto done = store();
    if (!done && before) (void)write_rdma_words(words_directory, uuid, before->values);
    return done;
}

// connection show PROFILE, if the profile has rdma.* words or -f selects them. nmcli runs all other cases.

namespace
{
constexpr int nmcli_column = 40; ///< of nmcli's values

Words own_fields(const std::optional<std::string> &fields)
{
    auto all = cut(fields.value_or(""), ", ");
    std::erase_if(all, [](const auto &f) { return f != "rdma" && !f.starts_with("rdma."); });
    return all;
}

void print_words(const RdmaValues &values, const Options &options, const Words &fields)
{
    const bool bare = options.print == Options::Print::terse && options.multiline == std::optional(false); // -g
    for (const auto &word : all_rdma_words) {
        const auto name = std::string(word.name);
        const auto it = values.find(name.substr(sizeof("rdma.") - 1));
        const bool all = fields.empty() || std::find(fields.begin(), fields.end(), "rdma") != fields.end();
        if (all ? it == values.end() : std::find(fields.begin(), fields.end(), name) == fields.end()) continue;
        const auto value = it == values.end() ? "" : it->second;
        if (bare)
            print(value + "\n");
        else if (options.print == Options::Print::terse)
            print(name + ":" + value + "\n");
        else
            print(message(untranslated, "{:<{}}{}\n", name + ":", nmcli_column, value.empty() ? "--" : value));
    }
}
} // namespace

Status show_connection(Invocation &in)
{
    const auto fields = own_fields(in.options.fields);
    const bool asked = !fields.empty();
    if (asked && cut(*in.options.fields, ", ").size() != fields.size())
        return Failure{exit_usage, _("Error: rdma.* fields: not with fields of nmcli; use two commands.")};
    for (const auto &field : fields)
        if (field != "rdma" && !find_rdma_word(field))
            return Failure{exit_usage, form("Error: unknown word {}.", printable(field))};
    std::string selector;
    auto words = in.args.rest();
    if (words.size() == 2 && is_selector(words[0])) selector = words[0], words.erase(words.begin());
    if (words.size() != 1 || words[0].starts_with('-') || (in.options.fields && !asked) || in.options.offline)
        return asked ? Failure{exit_usage, _("Error: rdma.* fields: only with one profile\n"
                                             "To show the fields:\n"
                                             "  nm-ib -f rdma connection show PROFILE")}
                     : to_nmcli();
    const auto connected = Daemon::connect();
    if (!connected) return asked ? connected.error() : to_nmcli();
    const auto &daemon = *connected;
    const auto found = Profiles(daemon).find(selector, words[0]);
    if (found.empty() && asked)
        return Failure{exit_not_found,
                       nm_form(nm("Error: %s - no such connection profile."), printable(words[0]).c_str())};
    const auto connection = found.empty() ? Result<Object<NMConnection>>(Error{}) : daemon.profile(found.front().path);
    if (!connection) return asked ? Failure{exit_failed, connection.error().what} : to_nmcli();
    const auto read = rdma_words_of(connection->get());
    if (!read) return asked ? failure_of(read.error()) : to_nmcli();
    for (const auto &why : read->bad) complain(form("warning: {}", why.text(translate)));
    if (!asked && read->values.empty()) return to_nmcli();
    if (!asked) {
        const auto run = run_nmcli(in.words);
        if (!run) return run.error();
        std::fputs(run->out.c_str(), stdout);
        std::fputs(run->err.c_str(), stderr);
        if (run->code != 0) return Failure{run->code, {}};
    }
    print_words(read->values, in.options, fields);
    return {};
}

} // namespace nmib::cli
