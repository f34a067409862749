# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# Runs the lab scenario in this directory with the package that apt installs.
if [ "$PHASE" = 1 ]; then
    rm -f /etc/dpkg/dpkg.cfg.d/99mmdebstrap
    said=$(DEBIAN_FRONTEND=noninteractive apt-get install -qy "$PWD"/network-manager-infiniband_*.deb 2>&1 </dev/null) ||
        { printf '%s\nnot ok 1 - package: installed by apt\n1..1\n' "$said"; exit 1; }
    echo plugin+dispatcher+cli >parts
fi
# shellcheck disable=SC1090 # whichever it is
. ./"$(find . -maxdepth 1 -name '*.sh' ! -name lib.sh)"
