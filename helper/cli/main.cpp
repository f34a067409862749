// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/command.hpp"
#include "config.h"

#include <clocale>
#include <libintl.h>

int main(int argc, char **argv)
{
    std::setlocale(LC_ALL, "");
    bindtextdomain("nm-infiniband", NMIB_LOCALE);
    bind_textdomain_codeset("nm-infiniband", "UTF-8");
    bind_textdomain_codeset("NetworkManager", "UTF-8");
    return nmib::cli::run(argc, argv);
}
