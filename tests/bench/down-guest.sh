# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# Another interface comes up while P_Key children of a port go down, with the dispatcher's helper and without the plugin.
# The children were made before a restart of NetworkManager, so that NetworkManager leaves them behind. The helper waits for
# each child, longer without a carrier. Measures from the call for the other interface until its activation, and until a
# later script of dispatcher.d has run for it (_up). Variants: nothing, an empty process, and the helper.
. ./children.sh
read -r rounds counts <rounds
chmod 755 bench-empty
scripts=/usr/lib/NetworkManager/dispatcher.d
cp $scripts/10-nm-ib "$JOB/"
cat >$scripts/90-seen <<'END_OF_SCRIPT'
#!/bin/sh
[ "$1 $2" != 'other up' ] || date +%s.%N >/run/seen.new
[ ! -e /run/seen.new ] || mv /run/seen.new /run/seen
END_OF_SCRIPT
chmod 755 $scripts/90-seen
total=0
for count in $counts; do total=$((total + count)); done
fabric ports=1 srq_sge=1 pkey_len=512 pkeys=0xffff"$(children_keys $total)"
children 1 $total
nmcli --offline connection add type dummy con-name other ifname other connection.autoconnect no ipv4.method disabled \
    ipv6.method disabled >"$(_file other)"
chmod 600 "$(_file other)"
WAIT=240

in_force() {
    rm -f $scripts/10-nm-ib
    case $1 in empty) ln -s "$JOB/bench-empty" $scripts/10-nm-ib ;; helper) ln -s "$JOB/10-nm-ib" $scripts/10-nm-ib ;; esac
}
milliseconds() { awk -v n="$1" -v a="$2" -v b="$3" -v r="$round" 'BEGIN { printf "%d\t%s\t%.3f\n", r, n, (b - a) * 1000 }'; }
# other_up NAME FIRST LAST: takes these children down, and the other interface up at the same time
other_up() {
    local path mark start
    path=$(nmcli -g DBUS-PATH,NAME connection show | sed -n 's/:other$//p')
    rm -f /run/seen
    mark=$(date '+%Y-%m-%d %H:%M:%S.%6N')
    # shellcheck disable=SC2046 # words
    [ "$3" -lt "$2" ] || must nmcli -w 0 connection down $(seq -f c%g "$2" "$3")
    start=$(date +%s.%N)
    must busctl call org.freedesktop.NetworkManager /org/freedesktop/NetworkManager org.freedesktop.NetworkManager \
        ActivateConnection ooo "$path" / /
    must eventually test -s /run/seen
    journalctl --sync
    milliseconds "$1_up" "$start" "$(cat /run/seen)"
    milliseconds "$1" "$start" "$(journalctl -b -o short-unix --since "$mark" -u NetworkManager |
        awk '/\(other\): Activation: successful/ { print $1 }')"
    must down other
    sleep 15 # longer than any wait of the helper
}
# downs VARIANT yes|no: children with a carrier, or without
downs() {
    local count last=0
    in_force helper # which records the children when they come up
    daemon none
    must eventually all_active $total
    daemon none # this run does not remove children of the previous one
    must eventually all_active $total
    in_force "$1"
    sleep 15
    other_up first 1 0 >/dev/null # so that the kernel has loaded the module
    for count in 0 $counts; do
        [ "$2" = yes ] || port_state mlx4_0 1 down
        other_up "$1_$([ "$2" = yes ] || echo no)carrier$count" $((last + 1)) $((last += count))
        port_state mlx4_0 1 active
        sleep 5
    done
}
for ((round = 0; round < rounds; round++)); do
    for variant in $(shuf -e none empty helper); do
        downs "$variant" yes
        downs "$variant" no
    done
done
