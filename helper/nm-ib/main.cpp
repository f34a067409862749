// SPDX-License-Identifier: LGPL-2.1-or-later
#include "config.h"
#include "nm-ib/run.hpp"

#include <clocale>
#include <fcntl.h>
#include <libintl.h>
#include <unistd.h>

/// libnm loads GnuTLS, which would initialise random numbers and search smart cards before main(). GnuTLS calls this
/// function to skip that (GNUTLS_SKIP_GLOBAL_INIT); users of GnuTLS initialise it themselves.
extern "C" [[gnu::visibility("default")]] int _gnutls_global_init_skip() { return 1; }

int main(int argc, char **argv)
{
    // Otherwise a socket or file gets a closed stream's number, and the output. Read-only: writing fails as before.
    for (int fd = 0; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0) (void)!open("/dev/null", O_RDONLY);
    // Only these categories: each one reads files.
    std::setlocale(LC_CTYPE, "");
    std::setlocale(LC_MESSAGES, "");
    bindtextdomain("nm-infiniband", NMIB_LOCALE);
    bind_textdomain_codeset("nm-infiniband", "UTF-8");
    bind_textdomain_codeset("NetworkManager", "UTF-8");
    textdomain("NetworkManager"); // like nmcli: without its translation, GLib is English too
    const int code = nmib::cli::run(argc, argv);
#ifdef NMIB_LEAVE_AT_ONCE
    _exit(code); // output is flushed; the kernel frees faster than the libraries
#else
    return code;
#endif
}
