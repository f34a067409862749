# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# The plugin in the daemon, on the port that infiniband.cpp models: no connected mode, P_Key children, no MTU above 4092.

OFFLOAD=tx-tcp-segmentation

# start_with_port: the daemon with the plugin, the port ib0, and a quirk that switches an offload off.
start_with_port() {
    put_plugin
    [ -e $JOURNAL ] || use_journal
    use_ports
    is_link ib0 || add_port ib0 "$ADDRESS"
    printf '[test]\nFeature.%s=off\nReason=test\n' $OFFLOAD >/etc/nm-infiniband/quirks.d/test.conf
    check "daemon with an InfiniBand port: starts" nm_faulty FAULT_MTU=4092
    check "daemon with an InfiniBand port: loads the plugin" loaded
}
# add_profile NAME WORD...: replaces the profile
add_profile() {
    local name=$1
    shift
    nmcli connection delete "$name" >/dev/null 2>&1
    nmcli connection add type infiniband con-name "$name" autoconnect no ipv6.method disabled ipv4.method manual \
        ipv4.addresses 192.0.2.1/24 "$@" >/dev/null
}
add_child() { add_profile "$1" infiniband.parent "$2" infiniband.p-key "$3" infiniband.transport-mode datagram "${@:4}"; }
up() { nmcli -w 20 connection up "$1"; }
down() { nmcli -w 20 connection down "$1"; }
uuid() { nmcli -g connection.uuid connection show "$1"; }
mode_is() { is "$(cat "/sys/class/net/$1/mode")" "$2"; }
mtu_is() { is "$(cat "/sys/devices/virtual/net/$1/mtu")" "$2"; }
state_is() { is "$(nmcli -g GENERAL.STATE device show "$1" | tr -dc 0-9)" "$2"; }
# NetworkManager has seen that the interface has no carrier: NM_DEVICE_INTERFACE_FLAG_CARRIER (0x10000) is off.
is_seen_without_carrier() {
    local flags
    flags=$(busctl get-property org.freedesktop.NetworkManager "$(nmcli -g GENERAL.DBUS-PATH device show "$1")" \
        org.freedesktop.NetworkManager.Device InterfaceFlags) && [ $((${flags#u } & 0x10000)) = 0 ]
}
is_link() { test -e "/sys/devices/virtual/net/$1"; }
is_gone() { ! is_link "$1"; }
request_offload() { ethtool -K "$1" $OFFLOAD on >/dev/null 2>&1; } # "off [requested on]" is a failure for ethtool
offload_is() { is "$(ethtool -k "$1" | grep -cE "$OFFLOAD: (on|off \[requested on\])")" "$([ "$2" = on ] && echo 1 || echo 0)"; }
eventually() {
    for _ in $(seq 200); do
        ! "$@" >/dev/null 2>&1 || return 0
        sleep 0.05
    done
    "$@"
}
times() { is "$(grep -cE -- "$2" $JOURNAL)" "$1"; } # times N REGEX: the journal has N such lines
lives() {
    check "$1: the daemon is alive" nm_alive
    check "$1: no critical message, no failed assertion" eval "! grep -E 'CRITICAL|assertion' $LOG"
}

case_port() {
    local what='port, enhanced IPoIB'
    start_with_port
    request_offload ib0
    add_profile i ifname ib0 transport-mode connected mtu 1500
    check "$what: the profile comes up" up i
    check "$what: datagram mode instead of connected mode" mode_is ib0 datagram
    check "$what: the log has the reason" times 1 "nm-ib: ib0: profile 'i' requests connected mode, which is not possible"
    check "$what: the profile is kept" is "$(nmcli -g infiniband.transport-mode connection show i)" connected
    check "$what: the quirk switches the offload off" offload_is ib0 off
    nmcli connection modify i infiniband.mtu 65520
    check "$what: Reapply succeeds, the applied profile has connected mode again" nmcli device reapply ib0
    check "$what: an MTU that Reapply cannot set becomes the highest that the kernel accepts" eventually mtu_is ib0 4092
    check "$what: the limit of the MTU is logged" times 1 'nm-ib: ib0: MTU 65520 was requested, 4092 is in effect: the device refuses more in datagram mode'
    check "$what: the profile comes up a second time" up i
    check "$what: a second activation logs no repeats" times 1 "nm-ib: ib0: profile 'i' requests connected mode"
    add_profile i ifname ib0 transport-mode datagram mtu 2044
    check "$what: another profile comes up" up i
    check "$what: the other profile has its MTU" mtu_is ib0 2044
    for _ in 1 2; do # a change of the MTU by hand interrupts the carrier only once
        ip link set ib0 carrier off
        ip link set ib0 mtu 4092
        ip link set ib0 carrier on
    done
    check "$what: an MTU that a new broadcast group raised is lowered again" eventually mtu_is ib0 2044
    request_offload ib0
    ip link set ib0 carrier off
    ip link set ib0 carrier on
    check "$what: an offload that was switched on returns to off with the carrier" eventually offload_is ib0 off
    add_profile o ifname ib0 transport-mode datagram ethtool.feature-$OFFLOAD on
    check "$what: a profile that requests the offload comes up" up o
    check "$what: the offload stays on, as the profile requests" offload_is ib0 on
    check "$what: the log says that the quirk is not applied" times 1 "nm-ib: ib0: quirk test not applied: profile 'o' requests"
    check "$what: no error is logged" times 0 '^3 .* nm-ib: '
    check "$what: the profile goes down" down o
    check "$what: after down the offload is off" eventually offload_is ib0 off
    lives "$what"
    check "$what: the daemon ends well" nm_stop
    check "$what: the marker is clean" is "$(marker)" .
}

# Without one of the daemon's functions, only the part of the plugin that needs it does not work.
case_degraded() {
    local symbol mode mtu quirk what
    start_with_port
    add_profile i ifname ib0 transport-mode connected mtu 1500 ethtool.feature-$OFFLOAD on
    add_child c ib0 0x0003
    nm_stop
    while read -r symbol mode mtu quirk; do
        what="daemon without $symbol"
        request_offload ib0
        check "$what: starts" nm_without "$symbol" FAULT_MTU=4092
        check "$what: loads the plugin" loaded
        nmcli connection modify i infiniband.mtu 1500
        check "$what: the profile comes up" up i
        check "$what: $mode mode" mode_is ib0 "$mode"
        check "$what: the quirk and the profile that requests otherwise: ${quirk:-ignored}" times $((${#quirk} > 0)) "nm-ib: ib0: .*${quirk:-nothing}"
        nmcli connection modify i infiniband.mtu 65520
        check "$what: the profile can be reapplied" nmcli device reapply ib0
        [ "$mtu" = - ] || check "$what: after Reapply the MTU is $mtu" eventually mtu_is ib0 "$mtu"
        check "$what: the child comes up" up c
        check "$what: the child goes down" down c
        check "$what: the child is removed" eventually is_gone ib0.0003
        check "$what: the profile goes down" down i
        lives "$what"
        nm_stop
    done <<'END'
nm_device_get_applied_connection datagram - quirk test not applied
nm_device_get_settings_connection datagram 4092 switched off
nm_active_connection_get_device datagram 4092 quirk test not applied
END
    while IFS='|' read -r what symbol; do
        check "$what: the daemon starts" nm_faulty "$symbol"
        check "$what: the daemon loads the plugin" loaded
        check "$what: the log says what is not done" logged "nm-ib: P_Key children that NetworkManager fails to make are not removed: no hook on NMManager::internal-device-added"
        check "$what: the child comes up" up c
        check "$what: the child goes down" down c
        check "$what: the child is removed" eventually is_gone ib0.0003
        lives "$what"
        nm_stop
    done <<'END'
no NMManager::internal-device-added|FAULT_NO_HOOKS=internal-device-added
GLib refuses a hook, the second|FAULT_NO_HOOK=2
GLib refuses a hook, the third|FAULT_NO_HOOK=3
END
}

# The fields of the lines in the journal: priority, device, profile.
case_journal() {
    local fields
    printf '[main]\nlog-level=debug\nplugin=perhaps\n' >$CONF
    mkdir /run/fault
    start_with_port
    check "journal: a mistake in nm-ib.conf is a warning without a device" journaled "4 3 NetworkManager - - nm-ib: $CONF:3: plugin=perhaps is not valid"
    printf '[main]\nlog-level=debug\n' >$CONF
    request_offload ib0
    add_profile i ifname ib0 transport-mode connected mtu 65520
    check "journal: the profile comes up" up i
    fields="3 NetworkManager ib0 $(uuid i) nm-ib: ib0:"
    check "journal: a mode that is not possible is a warning, with device and profile" journaled "4 $fields profile 'i' requests connected mode"
    check "journal: what a quirk did is a note, with device and profile" journaled "6 $fields $OFFLOAD switched off"
    add_child c ib0 0x0003
    check "journal: the child comes up" up c
    check "journal: the child goes down" down c
    check "journal: a child that is removed is a note without a device" eventually journaled '6 3 NetworkManager - - nm-ib: ib0.0003: P_Key child removed: NetworkManager had left it behind'
    down i >/dev/null
    check "journal: why an interface is not removed is a debug line" eventually journaled '7 3 NetworkManager - - nm-ib: ib0: not removed: not a P_Key child'
    mkdir -p /etc/nm-infiniband/profiles
    echo skip=yes >"/etc/nm-infiniband/profiles/$(uuid i)"
    check "journal: a profile with rdma.skip yes comes up" up i
    check "journal: why a device is ignored is a debug line, with device and profile" journaled "7 $fields skipped: the profile has rdma.skip yes"
    rm "/etc/nm-infiniband/profiles/$(uuid i)"
    up i >/dev/null
    touch /run/fault/netlink
    down i >/dev/null
    check "journal: an interface that cannot be read is an error" eventually journaled '3 3 NetworkManager .* Operation not permitted'
    rm /run/fault/netlink
    touch /run/fault/starve
    up i >/dev/null
    check "journal: an exception is a warning without a device" journaled '4 3 NetworkManager - - nm-ib: state change: std::bad_alloc, ignoring'
    rm /run/fault/starve
    lives journal
}

case_skip() {
    local words=/etc/nm-infiniband/profiles
    start_with_port
    request_offload ib0
    mkdir -p $words
    add_profile s ifname ib0 transport-mode connected mtu 65520
    echo skip=yes >"$words/$(uuid s)"
    check "profile with rdma.skip yes: comes up" up s
    check "profile with rdma.skip yes: the mode is NetworkManager's" mode_is ib0 connected
    check "profile with rdma.skip yes: the offload stays" offload_is ib0 on
    check "profile with rdma.skip yes: nothing is logged" times 0 'nm-ib: ib0'
    chmod o+w "$words/$(uuid s)"
    check "profile whose rdma.* words others can write: comes up" up s
    check "profile whose rdma.* words others can write: the log has the reason" logged 'nm-ib: rdma.skip of the profile cannot be read and stays as it was: .*users other than root'
    check "profile whose rdma.* words others can write: is skipped as before" mode_is ib0 connected
    check "profile whose rdma.* words others can write: the daemon starts again" eval 'nm_stop && nm_faulty FAULT_MTU=4092'
    check "profile whose rdma.* words others can write, at the start: comes up" up s
    check "profile whose rdma.* words others can write, at the start: is not skipped" mode_is ib0 datagram
    down s >/dev/null
    add_child c ib0 0x0005
    echo skip=yes >"$words/$(uuid c)"
    check "child with rdma.skip yes: comes up" up c
    check "child with rdma.skip yes: goes down" down c
    add_child d ib0 0x0006
    check "child without rdma.skip: comes up" up d
    check "child without rdma.skip: goes down" down d
    check "child without rdma.skip: is removed" eventually is_gone ib0.0006
    check "child with rdma.skip yes: stays" is_link ib0.0005
    lives "profiles with rdma.skip"
}

# NetworkManager takes an interface over from the administrator, or from an earlier daemon.
case_takeover() {
    printf '[main]\nlog-level=debug\n' >$CONF
    put_plugin
    use_ports
    add_port ib1 "$ADDRESS"
    ip link set ib1 up
    ip addr add 192.0.2.9/24 dev ib1
    request_offload ib1
    start_with_port
    check "port with an address by hand: its connection is external" eventually logged 'device \(ib1\): Activation: successful'
    check "port with an address by hand: ignored" logged 'nm-ib: ib1: skipped: the connection is external'
    check "port with an address by hand: the offload stays" offload_is ib1 on
    add_profile i ifname ib0 transport-mode connected mtu 2044
    add_child c ib0 0x8002 ipv4.addresses 192.0.3.1/24
    check "restart: the profile comes up" up i
    check "restart: the child comes up" up c
    add_child e ib0 0x8004 ipv4.addresses 192.0.4.1/24
    check "restart: a second child comes up" up e
    nm_stop
    echo connected >/sys/class/net/ib0/mode
    request_offload ib0
    check "restart: the daemon starts again" nm_faulty FAULT_MTU=4092 FAULT_SECOND=100
    check "restart: the profile is active" eventually state_is ib0 100
    check "restart: the log says that the mode is not changed" eventually logged 'nm-ib: ib0: skipped: taken over from an earlier daemon, the mode is not changed'
    check "restart: the mode of the profile is not written" mode_is ib0 connected
    check "restart: the quirk switches the offload off" eventually offload_is ib0 off
    check "restart: the child is active" eventually state_is ib0.8002 100
    check "restart: the child goes down" down c
    check "restart: the child is removed" eventually is_gone ib0.8002
    check "restart: the log says that the child is removed" eventually logged 'nm-ib: ib0.8002: P_Key child removed: NetworkManager had left it behind'
    ip link set ib0.8004 carrier off
    check "restart: NetworkManager sees that the child has no carrier" eventually is_seen_without_carrier ib0.8004
    check "restart: the child without a carrier goes down" down e
    check "restart: the child without a carrier is kept while an activation may wait" eventually logged 'nm-ib: ib0.8004: not removed: an activation may be waiting'
    check "restart: the child without a carrier is removed later" eventually is_gone ib0.8004
    lives restart
}

# P_Key children that NetworkManager makes, and leaves behind
case_children() {
    printf '[main]\nlog-level=debug\n' >$CONF
    use_ports
    add_port ib0 "$ADDRESS"
    add_port ib0.8006 "$ADDRESS" ib0 0x8006
    start_with_port
    local removed=': P_Key child removed: NetworkManager had left it behind'
    add_child c ib0 0x8002
    check "child with bit 15: comes up" up c
    check "child with bit 15: goes down" down c
    check "child with bit 15: NetworkManager removes it" eventually is_gone ib0.8002
    add_child c ib0 0x0003
    check "child without bit 15: comes up" up c
    check "child without bit 15: comes up while it is active" up c
    check "child without bit 15: goes down" down c
    check "child without bit 15: is removed" eventually is_gone ib0.0003
    check "child without bit 15: the log says so" eventually times 1 "nm-ib: ib0.0003$removed"
    check "child without bit 15: comes up again" up c
    printf '[main]\nremove-leftover-children=false\n' >$CONF
    check "child without bit 15, remove-leftover-children=false: goes down" down c
    add_child d ib0 0x0004
    check "child without bit 15, remove-leftover-children=false: a second one comes up" up d
    check "child without bit 15, remove-leftover-children=false: stays" is_link ib0.0003
    printf '[main]\nlog-level=debug\n' >$CONF
    check "child without bit 15, remove-leftover-children=true: goes down" down d
    check "child without bit 15, remove-leftover-children=true: is removed" eventually is_gone ib0.0004

    add_child hand ib0 0x8006
    check "child made by hand: a profile comes up" up hand
    check "child made by hand: the profile goes down" down hand
    check "child made by hand: the log says why it is not removed" eventually logged 'nm-ib: ib0.8006: not removed: not made by a profile'
    check "child made by hand: stays" is_link ib0.8006
    lives children
}

# The kernel shortens the name of a child, NetworkManager does not find it.
case_long_parent() {
    use_ports
    add_port ib0 "$ADDRESS"
    add_port mlx4_ib0_11 "$ADDRESS"
    add_port ib0.8009 "$ADDRESS" ib0 0x8009
    add_port mlx4_ib0_1.8003 "$ADDRESS" mlx4_ib0_11 0x8003
    start_with_port
    add_child d mlx4_ib0_11 0x8003
    check "child that another program made: a profile does not come up" eval '! up d'
    add_child c mlx4_ib0_11 0x8002
    check "parent with a name of 11 characters: the child does not come up" eval '! up c'
    check "parent with a name of 11 characters: the log has the reason" logged 'nm-ib: mlx4_ib0_11.8002?: NetworkManager cannot make this P_Key child: the name of its parent, .*, has more than 10 characters'
    check "parent with a name of 11 characters: the child is removed" eventually is_gone mlx4_ib0_1.8002
    check "parent with a name of 11 characters: the log says that it is removed" eventually logged 'nm-ib: mlx4_ib0_1.8002: P_Key child removed: NetworkManager did not find it'
    check "child that another program made: stays" is_link mlx4_ib0_1.8003
    check "child of another parent: stays" is_link ib0.8009
    lives "parent with a long name"
}

# hang: from now on nothing below /etc/nm-infiniband answers, like a file system whose server is away.
hang() {
    python3 -c '
import ctypes, os, time
fuse = os.open("/dev/fuse", os.O_RDWR)
options = b"fd=%d,rootmode=40000,user_id=0,group_id=0" % fuse
if ctypes.CDLL(None, use_errno=True).mount(b"none", b"/etc/nm-infiniband", b"fuse", 0, options): raise OSError(ctypes.get_errno(), "mount")
server = os.fork()
if server == 0: time.sleep(1000)
open("/run/server", "w").write(str(server))' >/dev/null
}
# hold: the same, but a server takes each request and answers only the first: who waits for the answer cannot be killed
hold() {
    python3 -c '
import ctypes, os, struct
fuse = os.open("/dev/fuse", os.O_RDWR)
options = b"fd=%d,rootmode=40000,user_id=0,group_id=0" % fuse
if ctypes.CDLL(None, use_errno=True).mount(b"none", b"/etc/nm-infiniband", b"fuse", 0, options): raise OSError(ctypes.get_errno(), "mount")
server = os.fork()
while server == 0:
    size, kind, unique = struct.unpack_from("IIQ", os.read(fuse, 1 << 20))
    if kind == 26: # FUSE_INIT
        out = struct.pack("IIIIHHIIHHI7I", 7, 31, 65536, 0, 12, 10, 65536, 1, 0, 0, 0, *([0] * 7))
        os.write(fuse, struct.pack("IiQ", 16 + len(out), 0, unique) + out)
open("/run/server", "w").write(str(server))' >/dev/null
}
has_no_owner() {
    ! dbus-send --system --print-reply --dest=org.freedesktop.DBus / org.freedesktop.DBus.GetNameOwner string:org.freedesktop.NetworkManager
}
mend() { kill -9 "$(cat /run/server)" && umount -l /etc/nm-infiniband; }
answers() { timeout 5 nmcli general >/dev/null; }

case_hung_files() {
    local what='files that do not answer'
    start_with_port
    add_profile i ifname ib0 transport-mode connected mtu 1500
    check "$what: the control, a profile comes up before" up i
    check "$what: the control, the profile goes down before" down i
    printf '[main]\nplugin=false\n' >$CONF # for the next start
    hang
    check "$what: they do not answer" eval '! timeout 1 ls /etc/nm-infiniband'
    check "$what: the profile comes up" up i
    check "$what: datagram mode instead of connected mode" mode_is ib0 datagram
    check "$what: the daemon answers" answers
    check "$what: a reload succeeds" timeout 5 nmcli general reload
    check "$what: the daemon answers after the reload" answers
    check "$what: the profile goes down" down i
    sleep 0.5 # what follows a deactivation ends
    check "$what: killing the daemon is no crash of the plugin" nm_kill
    check "$what: the daemon starts" nm_faulty FAULT_MTU=4092
    check "$what: the plugin is loaded" loaded
    check "$what: the log says what does not answer" logged 'nm-ib: the files in /etc/nm-infiniband do not answer'
    check "$what: the profile comes up with built-in defaults" up i
    check "$what: datagram mode with built-in defaults" mode_is ib0 datagram
    check "$what: the daemon answers with built-in defaults" answers
    add_child c ib0 0x0005
    check "$what: a child comes up" up c
    check "$what: the child goes down" down c
    sleep 3
    check "$what: the child stays, which the files may say" is_link ib0.0005
    check "$what: the dispatcher's script of another interface ends" eval 'CONNECTION_UUID=x timeout 5 "$ENTRY" lo up >/dev/null 2>&1'
    mend
    check "$what: NetworkManager reloads after the repair" nmcli general reload
    check "$what: plugin=false, read late: NetworkManager sets the mode" eventually eval 'up i && mode_is ib0 connected'
    check "$what: plugin=false, read late: the log has it" logged "nm-ib: switched off by plugin=false in $CONF, which was read after"
    check "$what: plugin=false, read late: the helper is in charge" eval '! locked'
    check "$what: plugin=false, read late: the profile goes down" down i
    lives "$what"
}

case_configuration() {
    local what=configuration quirk=/etc/nm-infiniband/quirks.d/test.conf digest=/run/NetworkManager/nm-infiniband/configuration
    start_with_port
    add_profile i ifname ib0 transport-mode connected mtu 1500
    check "$what: the profile comes up" up i
    check "$what: the quirk switches the offload off" offload_is ib0 off
    check "$what: only files below /sys, /proc and /run are opened by the main loop" opens_only_state
    printf '[main]\nconnected-impossible=fail\n' >$CONF
    check "$what: a changed file holds for the next activation" eval 'up i && mode_is ib0 connected'
    printf '[main]\nplugin=false\n' >$CONF
    check "$what: plugin=false waits for a restart" eval 'up i && mode_is ib0 datagram'
    rm $CONF
    check "$what: a removed file does, too" eval 'up i && mode_is ib0 datagram'
    rm -r /etc/nm-infiniband
    request_offload ib0
    check "$what: without the directory there is no quirk" eval 'up i && offload_is ib0 on'
    mkdir -p /etc/nm-infiniband/quirks.d
    printf '[test]\nFeature.%s=off\nReason=test\n' $OFFLOAD >$quirk
    check "$what: a new directory with a quirk holds" eval 'up i && offload_is ib0 off'
    mkdir -p /etc/nm-infiniband/profiles
    printf 'skip=yes\n' >"/etc/nm-infiniband/profiles/$(uuid i)"
    check "$what: rdma.skip holds" eval 'up i && mode_is ib0 connected'
    rm -r /etc/nm-infiniband/profiles
    printf '[main]\n' >/run/conf
    : >$CONF
    mount --bind /run/conf $CONF
    check "$what: a file that changes elsewhere" up i
    printf '[main]\nconnected-impossible=fail\n' >/run/conf
    check "$what: the digest for nm-ib plan is kept" grep -qxE '[0-9a-f]{64}' $digest
    cp $digest /run/before
    check "$what: NetworkManager reloads" nmcli general reload
    check "$what: the digest for nm-ib plan differs" eventually eval '! cmp -s $digest /run/before'
    check "$what: the file that changed elsewhere holds" eval 'up i && mode_is ib0 connected'
    printf 'nonsense\n' >/run/conf
    check "$what: NetworkManager reloads by SIGHUP" kill -HUP "$(nm_pid)"
    check "$what: a mistake is logged" eventually logged "nm-ib: $CONF:1: "
    check "$what: the rest holds" up i
    lives "$what"
}
case_held_files() {
    local what='files whose server keeps the request'
    start_with_port
    add_profile i ifname ib0 transport-mode connected mtu 1500
    check "$what: the control, a profile comes up before" up i
    hold
    check "$what: a reload succeeds" timeout 5 nmcli general reload
    check "$what: the daemon answers after the reload" answers
    kill "$(nm_pid)"
    check "$what: the name on the bus is free" eventually has_no_owner
    check "$what: another daemon starts" nm_faulty FAULT_MTU=4092
    check "$what: the plugin is loaded" loaded
    check "$what: the daemon answers" answers
    mend
    lives "$what"
}

case_late_files() {
    local what='files that answer late'
    start_with_port
    add_profile i ifname ib0 transport-mode connected mtu 1500
    add_child c ib0 0x0005
    mkdir -p /etc/nm-infiniband/profiles
    printf 'skip=yes\n' >"/etc/nm-infiniband/profiles/$(uuid c)"
    request_offload ib0
    nm_stop
    hang
    check "$what: the daemon starts" nm_faulty FAULT_MTU=4092
    check "$what: the profile comes up" up i
    check "$what: a child comes up" up c
    check "$what: there is no quirk yet" offload_is ib0 on
    mend
    check "$what: NetworkManager reloads" nmcli general reload
    check "$what: the quirk switches the offload off" eventually offload_is ib0 off
    check "$what: the child with rdma.skip goes down" down c
    sleep 1
    check "$what: the child with rdma.skip stays" is_link ib0.0005
    lives "$what"
}

# stays WHAT: a profile's child is there after its down, which NetworkManager leaves behind
stays() {
    check "$1: the child comes up" up c
    check "$1: the child goes down" down c
    sleep 1
    check "$1: the child stays" is_link ib0.0005
    ip link del ib0.0005
}
case_untrusted_files() {
    start_with_port
    add_child c ib0 0x0005
    printf '[main]\nremove-leftover-children=false\n' >$CONF
    stays 'remove-leftover-children=false'
    chmod g+w $CONF
    stays 'nm-ib.conf that others can write'
    chmod g-w $CONF
    printf '[main]\nremove-leftover-children=flase\n' >$CONF
    stays 'remove-leftover-children=flase'
    rm $CONF
    mkdir -p /etc/nm-infiniband/profiles
    printf 'skip=yes\n' >"/etc/nm-infiniband/profiles/$(uuid c)"
    stays 'rdma.skip'
    chmod g+w /etc/nm-infiniband/profiles
    stays 'words in a directory that others can write'
    rm -r /etc/nm-infiniband/profiles
    check "untrusted files, the control: the child comes up" up c
    check "untrusted files, the control: the child goes down" down c
    check "untrusted files, the control: the child is removed" eventually is_gone ib0.0005
    lives 'untrusted files'
}

case_unreadable_files() {
    local what='files that cannot be read'
    start_with_port
    add_profile i ifname ib0 transport-mode connected mtu 1500
    mkdir -p /etc/nm-infiniband/profiles
    printf 'skip=yes\n' >"/etc/nm-infiniband/profiles/$(uuid i)"
    check "$what: the control, rdma.skip holds" eval 'up i && mode_is ib0 connected'
    hang
    check "$what: NetworkManager reloads" nmcli general reload
    kill -9 "$(cat /run/server)"
    check "$what: they give errors" eval '! ls /etc/nm-infiniband 2>/run/error && grep -q connected /run/error'
    check "$what: NetworkManager reloads again" nmcli general reload
    check "$what: rdma.skip still holds" eval 'sleep 1; up i && mode_is ib0 connected'
    umount -l /etc/nm-infiniband
    check "$what: files that can be read again hold without a reload" eventually eval 'rm -f "/etc/nm-infiniband/profiles/$(uuid i)"; up i && mode_is ib0 datagram'
    lives "$what"
}
# opens_only_state: the files that the daemon's main thread opens in down and up of the profile i, and those of its plugin.
opens_only_state() {
    strace -qq -p "$(nm_pid)" -e trace=%file -o /run/opened &
    sleep 1
    down i && up i
    kill $! && wait $!
    ! grep -aE '"/(etc|usr)/[^"]*(nm-infiniband|quirks)' /run/opened
}
