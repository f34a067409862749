// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/rdma/words.hpp"

#include "core/printable.hpp"

namespace nmib::cli
{

std::optional<Failure> take_rdma_words(const Draft &draft)
{
    const auto &typed = draft.typed.rdma();
    if (typed.empty()) return {};
    const auto fail = [](const std::string &why) { return Failure{exit_usage, form(_("Error: %s."), why.c_str())}; };
    const auto type = str(nm_setting_connection_get_connection_type(draft.base()));
    const auto port_of = str(nm_setting_connection_get_slave_type(draft.base()));
    RdmaWords words;
    for (const auto &[name, value] : typed) {
        const auto *word = find_rdma_word(name);
        if (!word) return fail(form(_("there is no word %s"), printable(name).c_str()));
        if (const auto r = set(words, *word, value); !r) return fail(r.error().what);
        const auto taken_back = value.empty() || value == "none";
        if (const auto why = taken_back ? "" : refusal(*word, type, port_of); !why.empty()) return fail(why);
        if (!value.empty() && word->name != "rdma.skip" && is_private_profile(draft.connection.get()))
            return fail(std::string(private_profile_refusal));
    }
    auto *user = NM_SETTING_USER(nm_connection_get_setting(draft.connection.get(), NM_TYPE_SETTING_USER));
    if (!user) {
        user = NM_SETTING_USER(nm_setting_user_new());
        nm_connection_add_setting(draft.connection.get(), NM_SETTING(user));
    }
    for (const auto &[name, value] : typed) {
        GError *error = nullptr;
        const auto key = std::string(find_rdma_word(name)->key);
        if (nm_setting_user_set_data(user, key.c_str(), value.empty() ? nullptr : value.c_str(), &error)) continue;
        const auto why = error ? str(error->message) : name;
        g_clear_error(&error);
        return fail(why);
    }
    guint count = 0;
    (void)nm_setting_user_get_keys(user, &count);
    if (count == 0) nm_connection_remove_setting(draft.connection.get(), NM_TYPE_SETTING_USER);
    return {};
}

bool is_private_profile(NMConnection *connection)
{
    auto *base = nm_connection_get_setting_connection(connection);
    return base && nm_setting_connection_get_num_permissions(base) > 0;
}

std::vector<std::pair<const RdmaWord *, std::string>> rdma_words_of(NMConnection *connection)
{
    std::vector<std::pair<const RdmaWord *, std::string>> all;
    auto *user = NM_SETTING_USER(nm_connection_get_setting(connection, NM_TYPE_SETTING_USER));
    if (!user) return all;
    for (const auto &word : all_rdma_words)
        if (const auto *value = nm_setting_user_get_data(user, std::string(word.key).c_str()))
            all.emplace_back(&word, value);
    return all;
}

} // namespace nmib::cli
