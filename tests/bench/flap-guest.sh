# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# A port with many P_Key children loses its carrier, which then returns; without and with the plugin.
. ./children.sh
read -r rounds flaps count <rounds
chmod 755 bench-flap
# No quirk matches this card; with a quirk, the plugin reads all values at each event. The receive buffer is one page:
# larger ones of 100 children need more memory than the guest has.
fabric ports=1 rev=0xb0 srq_sge=1 pkeys=0xffff"$(children_keys "$count")"
children 1 "$count"
WAIT=240
flap() {
    daemon "$2" # assumes the children that are up
    must eventually all_active "$count"
    ./bench-flap "$1" "$flaps" "$2"
    must eventually all_active "$count"
}
daemon plugin
must eventually all_active "$count"
in_turns "$rounds" flap
