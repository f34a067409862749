# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# Runs a scenario of the lab, which lies beside this, with the package installed by apt.
if [ "$PHASE" = 1 ]; then
    rm -f /etc/dpkg/dpkg.cfg.d/99mmdebstrap
    said=$(DEBIAN_FRONTEND=noninteractive apt-get install -qy "$PWD"/network-manager-infiniband_*.deb 2>&1 </dev/null) ||
        { printf '%s\nnot ok 1 - the package is installed\n1..1\n' "$said"; exit 1; }
    echo plugin+dispatcher+cli >parts
fi
# shellcheck disable=SC1090 # whichever it is
. ./"$(find . -maxdepth 1 -name '*.sh' ! -name lib.sh)"
