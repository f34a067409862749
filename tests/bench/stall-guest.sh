# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# The longest time for which the daemon answers no call, and the firmware requests of the daemon, without and with the
# plugin: while one of the P_Key children of a port is activated, while the port loses its carrier for 1.5 s (flap) and for
# 5 s (loss), and while the daemon restarts. A firmware request takes 1 ms. The same with a file system at
# /etc/nm-infiniband that does not answer (hung), if the third word of the file rounds is "hung".
. ./children.sh
read -r rounds count hung <rounds
chmod 755 bench-stall
WAIT=900
MARK=/run/stall
NM=org.freedesktop.NetworkManager
CALL=(busctl --timeout=120 call "$NM" /org/freedesktop/NetworkManager)
SOFTHCA=/sys/module/softhca/parameters
# Small rings: with the usual ones, a thousand children need more memory than the guest has. No quirk matches the card.
modprobe ib_ipoib send_queue_size=16 recv_queue_size=16
fabric ports=1 rev=0xb0 srq_sge=1 pkey_len=$((count < 128 ? 128 : count + 1)) pkeys=0xffff"$(children_keys "$count")"
# The guest's clock goes on while the guest waits for its disk: no file of the daemon may be there.
for directory in /etc/NetworkManager/system-connections /var/lib/NetworkManager; do must mount -t tmpfs -o mode=700 tmpfs $directory; done
children 1 "$count"
warm() {
    awk '$6 ~ "^/usr" { print $6 }' /proc/[0-9]*/maps | sort -u | xargs cat
    cat /usr/bin/{busctl,systemctl,chrt,cut,sed,grep,xargs} /usr/lib/nm-infiniband/* /usr/libexec/nm-infiniband/*
} >/dev/null 2>&1

# stall ROUND NAME SECONDS EVENT: calls the daemon during the event and until all children are active, then 3 s more; ends
# earlier if an answer takes longer than SECONDS
stall() {
    local before poll event
    read -r before <$SOFTHCA/firmware_requests_nm
    chrt -f 1 ./bench-stall "$1" "$2" "$3" $MARK &
    poll=$!
    must eventually test -e $MARK
    "$4" &
    event=$!
    wait -n $event $poll
    if kill -0 $poll 2>/dev/null; then
        must eventually all_active "$count"
        pause 3
    fi
    rm $MARK
    wait $poll || exit 1
    printf '%d\t%s_requests\t%d\n' "$1" "$2" $(($(<$SOFTHCA/firmware_requests_nm) - before))
    ! grep -q ' /etc/nm-infiniband fuse' /proc/mounts || unhang
    wait $event || exit 1
}
# activation: c1 goes down and comes up. busctl, as nmcli would read every profile.
activation() {
    local uuid device profile
    uuid=$(sed -n s/^connection-uuid=//p "/run/NetworkManager/devices/$(<$NET/ib0.8101/ifindex)")
    profile=$(busctl call $NM /org/freedesktop/NetworkManager/Settings $NM.Settings GetConnectionByUuid s "$uuid" | cut -d'"' -f2)
    device=$("${CALL[@]}" $NM GetDeviceByIpIface s ib0.8101 | cut -d'"' -f2)
    busctl --timeout=120 call $NM "$device" $NM.Device Disconnect || return
    pause 2
    "${CALL[@]}" $NM ActivateConnection ooo "$profile" / / >/dev/null
}
lost_for() { port_state mlx4_0 1 down; pause "$1"; port_state mlx4_0 1 active; }
flap() { lost_for 1.5; }
loss() { lost_for 5; }
restart() { systemctl restart NetworkManager; }

hang() {
    mkdir -p /etc/nm-infiniband
    exec {fuse}<>/dev/fuse # no server reads from it
    must mount -i -t fuse -o fd=$fuse,rootmode=40000,user_id=0,group_id=0 hung /etc/nm-infiniband
}
unhang() {
    local connection
    grep -q ' /sys/fs/fuse/connections ' /proc/mounts || mount -t fusectl fusectl /sys/fs/fuse/connections
    for connection in /sys/fs/fuse/connections/*/abort; do echo 1 >"$connection"; done
    must umount -l /etc/nm-infiniband
    exec {fuse}<&-
}
measured() { # ROUND none|plugin
    local event
    echo 0 >$SOFTHCA/firmware_us
    daemon "$2"
    must eventually all_active "$count"
    # From now on c1 is this daemon's own. A child of an earlier daemon stays at its first down without the plugin.
    activation
    must eventually all_active "$count"
    echo 1000 >$SOFTHCA/firmware_us
    for event in activation flap loss restart; do
        stall "$1" "$2_$event" 3600 $event
        must eventually all_active "$count"
        [ "$hung" = hung ] && [ $event != flap ] || continue
        hang
        stall "$1" "$2_hung_$event" 15 $event
        must eventually all_active "$count"
    done
}
daemon plugin
must eventually all_active "$count"
modprobe fuse
warm
in_turns "$rounds" measured
