// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/command/command.hpp"
#include "config.h"

#include <clocale>
#include <fcntl.h>
#include <libintl.h>
#include <unistd.h>

/// libnm brings GnuTLS, which would prepare its random numbers and look for smart cards before main(). What needs it
/// prepares it itself. This is the name it looks for (GNUTLS_SKIP_GLOBAL_INIT).
extern "C" [[gnu::visibility("default")]] int _gnutls_global_init_skip() { return 1; }

int main(int argc, char **argv)
{
    // Otherwise a socket or a file gets the number of a closed stream, and the output. A write to these fails as well.
    for (int fd = 0; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0) (void)!open("/dev/null", O_RDONLY);
    // Each category is a file or more to read; nothing here depends on the others.
    std::setlocale(LC_CTYPE, "");
    std::setlocale(LC_MESSAGES, "");
    bindtextdomain("nm-infiniband", NMIB_LOCALE);
    bind_textdomain_codeset("nm-infiniband", "UTF-8");
    bind_textdomain_codeset("NetworkManager", "UTF-8");
    textdomain("NetworkManager"); // as nmcli: where that is not translated, GLib speaks English too
    const int code = nmib::cli::run(argc, argv);
#ifdef NMIB_LEAVE_AT_ONCE
    _exit(code); // everything is written; what the libraries tidy up, the kernel does faster
#else
    return code;
#endif
}
