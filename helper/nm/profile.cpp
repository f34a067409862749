// SPDX-License-Identifier: LGPL-2.1-or-later
#include "nm/profile.hpp"

#include "probe/rdma/facts.hpp"

#include <cerrno>
#include <cstdio>
#include <unistd.h>

namespace nmib::cli
{

std::optional<std::string> read_input()
{
    constexpr std::size_t limit = 16 << 20; // a profile takes a few hundred bytes
    std::string text;
    char buffer[65536];
    while (text.size() <= limit) {
        const auto n = read(STDIN_FILENO, buffer, sizeof buffer);
        if (n == 0) return text;
        if (n < 0) return std::nullopt;
        text.append(buffer, static_cast<std::size_t>(n));
    }
    return std::nullopt;
}

Result<Object<NMConnection>> parse_keyfile(const std::string &text)
{
    GErrorSlot error;
    const KeyFile file(g_key_file_new());
    if (!g_key_file_load_from_data(file.get(), text.c_str(), text.size(), G_KEY_FILE_NONE, error))
        return bad(error.message());
    const Text dir(g_get_current_dir());
    Object<NMConnection> c(
        nm_keyfile_read(file.get(), dir.get(), NM_KEYFILE_HANDLER_FLAGS_NONE, nullptr, nullptr, error));
    if (!c) return bad(error.message());
    return c;
}

namespace
{
/// Silences libnm, which logs invalid values. Copies are silent, so that libnm logs a value as often as in nmcli.
class Silence
{
public:
    Silence() : before_(g_log_set_default_handler([](auto...) {}, nullptr)) {}
    Silence(const Silence &) = delete;
    Silence &operator=(const Silence &) = delete;
    ~Silence() { g_log_set_default_handler(before_, nullptr); }

private:
    GLogFunc before_;
};
} // namespace

Object<NMConnection> copy_of(NMConnection *connection)
{
    const Silence silence;
    return Object<NMConnection>(nm_simple_connection_new_clone(connection));
}

Result<Object<NMConnection>> normalized(NMConnection *connection)
{
    auto copy = copy_of(connection);
    const Silence silence;
    GErrorSlot error;
    if (!nm_connection_normalize(copy.get(), nullptr, nullptr, error)) return bad(error.message());
    return copy;
}

Result<std::string> to_keyfile(NMConnection *connection)
{
    GErrorSlot error;
    if (!nm_connection_normalize(connection, nullptr, nullptr, error)) return bad(error.message());
    const KeyFile file(nm_keyfile_write(connection, NM_KEYFILE_HANDLER_FLAGS_NONE, nullptr, nullptr, error));
    if (!file) return bad(error.message());
    gsize size = 0;
    const Text text(g_key_file_to_data(file.get(), &size, nullptr));
    return std::string(text.get(), size);
}

Status print_keyfile(NMConnection *connection)
{
    const auto cannot = [](const std::string &why) {
        return Failure{exit_failed, nm_form(nm("Error: Error writing connection: %s"), why.c_str())};
    };
    const auto text = to_keyfile(connection);
    if (!text) return cannot(text.error().what);
    if (std::fputs(text->c_str(), stdout) < 0 || std::fflush(stdout) != 0)
        return cannot(nm_form(g_dgettext("glib20", "Error writing to file descriptor: %s"), g_strerror(errno)));
    return {};
}

bool is_private_profile(NMConnection *connection)
{
    auto *base = nm_connection_get_setting_connection(connection);
    return base && nm_setting_connection_get_num_permissions(base) > 0;
}

Result<RdmaWordsRead> rdma_words_of(NMConnection *connection)
{
    return read_rdma_words(words_directory, str(nm_connection_get_uuid(connection)));
}

} // namespace nmib::cli
