# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: a profile with another mode on an interface that is up: NetworkManager takes it down before the mode changes
# with: plugin+dispatcher plugin dispatcher
# releases: bookworm (trixie)
# alone: NetworkManager does this by itself; the scenario guards that nm-ib does not interfere
# NetworkManager-ci's inf_down_before_mode_change.
. ./lib.sh
# taken_down_for LINK BEFORE NOW: in the journal, the link goes down, and the next line is NetworkManager's change of the mode
taken_down_for() {
    _said "\($1\): taking down device|setting '.*/$1/mode' to" | tee /run/said
    grep -A1 'taking down device' /run/said | grep -q "to '$3' (current value is '$2')"
}
fabric
nm_start
profile datagram ifname ib0 transport-mode datagram
profile connected ifname ib0 transport-mode connected
expect_up datagram
must nmcli general logging level DEBUG domains ALL
before=datagram
for mode in connected datagram; do
    journal_mark
    expect_up $mode
    expect_mode ib0 $mode
    check "ib0: taken down before its mode changes to $mode" eventually taken_down_for ib0 $before $mode
    before=$mode
done
expect_nm_alive
