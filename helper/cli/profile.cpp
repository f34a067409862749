// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/profile.hpp"

#include "cli/words.hpp"

#include <cerrno>
#include <unistd.h>

namespace nmib::cli
{

Result<std::string> read_input()
{
    constexpr std::size_t limit = 16 << 20;
    std::string text;
    char buffer[65536];
    for (;;) {
        const auto n = read(STDIN_FILENO, buffer, sizeof buffer);
        if (n == 0) return text;
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return sys_error(errno, _("standard input"));
        text.append(buffer, static_cast<std::size_t>(n));
        if (text.size() > limit) return bad(_("standard input: more than 16 MiB is no profile"));
    }
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

} // namespace nmib::cli
