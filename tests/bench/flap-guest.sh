# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# A port with many P_Key children loses its carrier and gets it back, without and with the plugin.
. ./children.sh
read -r rounds flaps count <rounds
chmod 755 bench-flap
# A card that no quirk speaks of: where one does, each look is a whole one. A receive buffer of one page: with more, 100
# children take more memory than there is.
fabric ports=1 rev=0xb0 srq_sge=1 pkeys=0xffff"$(children_keys "$count")"
children 1 "$count"
WAIT=240
flap() {
    daemon "$2" # it takes over the children that are up
    must eventually all_active "$count"
    ./bench-flap "$1" "$flaps" "$2"
    must eventually all_active "$count"
}
daemon plugin
must eventually all_active "$count"
in_turns "$rounds" flap
