// SPDX-License-Identifier: LGPL-2.1-or-later
#include "terminal/request.hpp"

namespace nmib::cli
{

Status refuse_columns(const Request &request)
{
    if (!request.print.fields && request.print.print != Options::Print::terse) return {};
    return Failure{exit_usage, _("Error: -t, -f and -g: only for tables\n"
                                 "For programs, use --json.")};
}

} // namespace nmib::cli
