# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# Runs the lab scenario in this directory on a machine that apt upgraded from Debian 12 with the package to Debian 13.
if [ "$PHASE" = 1 ]; then
    [ "$(. /etc/os-release && echo "$VERSION_ID")" = 13 ] && grep -qx '# kept over the upgrade' /etc/nm-infiniband/nm-ib.conf ||
        { echo 'not ok 1 - machine: Debian 13 with the configuration from before the upgrade'; exit 1; }
    echo plugin+dispatcher+cli >parts
fi
# shellcheck disable=SC1090 # whichever it is
. ./"$(find . -maxdepth 1 -name '*.sh' ! -name lib.sh)"
