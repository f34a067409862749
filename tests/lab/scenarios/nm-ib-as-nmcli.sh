# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: nm-ib answers like this release's nmcli, on real interfaces with an active profile
# with: plugin+dispatcher+cli
# releases: bookworm (trixie)
# files: live.py
. ./lib.sh
fabric
nm_start
profile up ifname ib0 transport-mode datagram mtu 2044 ipv4.method manual ipv4.addresses 192.0.2.1/24 ipv4.gateway 192.0.2.254 \
    ipv6.method manual ipv6.addresses 2001:db8::1/64
expect_up up
expect_carrier ib0 1
check "nm-ib and nmcli: equal output, exit codes and stored profiles" python3 live.py "$(command -v nm-ib)" up
check "nm-ib --ask plan: plan is nm-ib's own command" nm-ib --ask plan
