# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: nm-ib answers as this release's nmcli does or leaves it to it, on real interfaces with a real profile active
# with: plugin+dispatcher+cli
# releases: bookworm trixie
# files: live.py
. ./lib.sh
fabric
nm_start
profile up ifname ib0 transport-mode datagram mtu 2044 ipv4.method manual ipv4.addresses 192.0.2.1/24 ipv4.gateway 192.0.2.254 \
    ipv6.method manual ipv6.addresses 2001:db8::1/64
expect_up up
expect_carrier ib0 1
check "no answer of its own, no exit code and no stored profile is different" python3 live.py "$(command -v nm-ib)" up
check "what is its own word stays with it" nm-ib --ask plan
if ! nmcli --version | grep -qF " 1.42."; then
    leaves() { # whether nm-ib leaves these words to an nmcli that is not there
        LD_PRELOAD=$PWD/libother-version.so unshare --mount sh -c 'mount --bind /dev/null /usr/bin/nmcli; exec nm-ib "$@"' sh "$@" 2>&1 |
            grep -qF "this is a task for nmcli"
    }
    for words in "connection show up" "connection modify up infiniband.mtu 2044" "connection add type infiniband ifname ib9"; do
        # shellcheck disable=SC2086 # words
        check "it is nmcli's to warn of another version's daemon: $words" leaves $words
    done
    check "not where a word is nm-ib's own" nm-ib connection modify up infiniband.mtu 2044 --strict
fi
