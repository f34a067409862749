# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# What the daemon does with our plugin, and what it survives. Each case runs in a sandbox of its own.

case_loads() {
    put_plugin
    check "the daemon starts" nm_start
    check "it has the plugin" loaded
    check "the marker says we are not at work" is "$(marker)" .
    check "  and is locked" locked
    check_daemon_works
    check "nothing is said about devices that are no InfiniBand" eval '! logged "nm-ib:"'
    check "it ends well" nm_stop
    check "the marker is not locked any more" eval '! locked'
    check "the marker is clean" grep -q '^\. nm-ib-marker-1 unstable=0 calm=1 ' $MARKER
}
is() { [ "$1" = "$2" ] || { echo "is '$1', should be '$2'"; return 1; }; }

case_object() {
    local needed has exported
    needed=$(objdump -p "$PLUGIN" | sed -n 's/^ *NEEDED *//p' | sort)
    has=$(ldd /usr/sbin/NetworkManager | awk '{ sub(".*/", "", $1); print $1 }' | sort)
    check "needs only what a daemon has" is "$(comm -23 <(echo "$needed") <(echo "$has"))" ""
    exported=$(nm -D --defined-only "$PLUGIN" | awk '{print $3}')
    check "exports its entry only" is "$exported" nm_device_factory_create
    check "binds at once and stays" eval "readelf -d '$PLUGIN' | grep -q 'BIND_NOW' && readelf -d '$PLUGIN' | grep -q NODELETE"
    # what is built on a newer Debian stays there
    [ "$(getconf GNU_LIBC_VERSION)" != "glibc 2.36" ] || check "needs no newer C library than Debian 12's" eval \
        "{ objdump -T '$PLUGIN' | grep -o 'GLIBC_[0-9.]*' | sort -Vu | tail -1; echo GLIBC_2.36; } | sort -VC"
    check "has no executable stack" eval "readelf -lW '$PLUGIN' | grep GNU_STACK | grep -q 'RW '"
}

case_symlink() {
    install -m 644 -D "$PLUGIN" /run/own/object.so
    ln -s /run/own/object.so "$OBJECT"
    check "the daemon starts" nm_start
    check "it has the plugin behind the link" loaded
    check_daemon_works
}

refused() { # refused "why" REGEX START...: not loaded, said, and the daemon works
    local why=$1 said=$2
    shift 2
    check "the daemon starts: $why" "$@"
    check "  without the plugin" eval '! loaded && ! locked'
    check "  and says why" logged "$said"
    check_daemon_works
}

case_permissions() {
    put_plugin
    chmod g+w "$OBJECT"
    refused "writable by the group" 'file has invalid permissions' nm_start
    nm_stop
    put_plugin
    chmod o+w "$OBJECT"
    refused "writable by all" 'file has invalid permissions' nm_start
    nm_stop
    put_plugin
    chown nobody "$OBJECT"
    refused "somebody else's" 'file has invalid owner' nm_start
}

case_broken_file() {
    install -m 644 /dev/null "$OBJECT"
    refused "an empty file" 'failed to load plugin' nm_start
    nm_stop
    head -c 5000 /dev/urandom >"$OBJECT"
    refused "no object at all" 'failed to load plugin' nm_start
}

case_abi() {
    put_plugin
    refused "a factory class of another size" 'unexpected ABI \(class 192, instance 24; built for 184, 24\): this NetworkManager is not supported' \
        nm_faulty FAULT_CLASS_SIZE=8
    check "  the marker is clean" is "$(marker)" .
    nm_stop
    refused "a signal without hooks" 'unexpected ABI \(no NMDevice::state-changed with three numbers that takes hooks\)' \
        nm_faulty FAULT_NO_HOOKS=state-changed
    nm_stop
    refused "no hook to be had" 'GLib refuses a hook on NMDevice::state-changed' nm_faulty FAULT_NO_HOOKS=refused
}

case_missing_symbol() {
    put_plugin
    refused "without the one function there must be" 'does not export nm_device_get_applied_setting: not supported' \
        nm_without nm_device_get_applied_setting
    nm_stop
    local symbol
    for symbol in nm_device_get_{act_request,applied_connection,settings_connection} nm_active_connection_get_device; do
        check "the daemon starts without $symbol" nm_without $symbol
        check "  with the plugin" loaded
        check "  which says what it cannot do" eval "is \"\$(grep -c 'nm-ib: .*: this NetworkManager does not export $symbol' $LOG)\" 1"
        nm_stop
    done
}

case_switched_off() {
    put_plugin
    printf '[main]\nplugin=false\n' >$CONF
    refused "plugin=false" "switched off by plugin=false in $CONF" nm_start
    nm_stop
    printf '[main]\nplugin=perhaps\n' >$CONF
    check "the daemon starts with a mistake in nm-ib.conf" nm_start
    check "  which is named" logged "nm-ib: $CONF: plugin=perhaps is no possible value; file not used"
    check "  and the plugin works with the built-in values" loaded
}

# std::bad_alloc, from an allocator that fails our object only.
case_exceptions() {
    put_plugin
    mkdir /run/fault
    touch /run/fault/starve
    refused "an exception while loading" 'nm-ib: loading: std::bad_alloc' nm_faulty
    nm_stop
    rm /run/fault/starve
    # Let it take veth devices for InfiniBand: the hook then runs, and fails.
    check "the daemon starts" nm_faulty FAULT_DEVICE=NMDeviceVeth
    check "  with the plugin" loaded
    touch /run/fault/starve
    check_daemon_works
    check "an exception in the hook goes no further" logged 'nm-ib: state change: std::bad_alloc; nothing done'
    rm /run/fault/starve
    check_daemon_works
    check "it ends well" nm_stop
    check "the marker is clean" is "$(marker)" .
}

# A child that cannot be read is not a child that is gone.
case_netlink_error() {
    put_plugin
    mkdir /run/fault
    check "the daemon starts" nm_faulty FAULT_DEVICE=NMDeviceVeth
    check_daemon_works
    touch /run/fault/netlink
    nmcli -w 20 connection up p >/dev/null
    nmcli -w 20 connection down p >/dev/null
    check "what may be left behind and cannot be read is an error" eventually_logged "nm-ib: interface $(cat /sys/class/net/v0/ifindex): Operation not permitted"
    rm /run/fault/netlink
    check_daemon_works
}
eventually_logged() { for _ in $(seq 100); do ! logged "$1" || return 0; sleep 0.05; done; return 1; }

# Warnings of GLib end the daemon: our lines are none, whatever their priority.
case_fatal_warnings() {
    check "the daemon starts alone, warnings being fatal" nm_start G_DEBUG=fatal-warnings
    check_daemon_works
    nm_stop
    put_plugin
    printf '[main]\nplugin=perhaps\n' >$CONF
    mkdir /run/fault
    check "the daemon starts with the plugin, warnings being fatal" nm_faulty G_DEBUG=fatal-warnings FAULT_DEVICE=NMDeviceVeth
    check "  with the plugin" loaded
    check "  which warns of its configuration" logged "nm-ib: $CONF: plugin=perhaps is no possible value"
    touch /run/fault/starve
    check_daemon_works
    check "  and warns from within the hook" logged 'nm-ib: state change: std::bad_alloc; nothing done'
    rm /run/fault/starve
    check "it ends well" nm_stop
    check "the marker is clean" is "$(marker)" .
    check "the next daemon starts" nm_start
    check "  and has the plugin" loaded
}

case_crash() {
    put_plugin
    mkdir /run/fault
    check "the daemon starts" nm_faulty FAULT_DEVICE=NMDeviceVeth
    touch /run/fault/crash
    ip link add v0 type veth peer name v1
    check "a crash in our code ends it" nm_gone
    check "  which the marker shows" is "$(marker)" '!'
    rm /run/fault/crash
    ip link del v0
    refused "after a crash in our code" "NetworkManager ended while this plugin was at work; not loaded, .* Remove $MARKER to try again, or set plugin=false" nm_start
    nm_stop
    refused "still" "Remove $MARKER" nm_start
    nm_stop
    rm $MARKER
    check "the daemon starts with the marker removed" nm_start
    check "  and has the plugin again" loaded
}

case_unstable() {
    put_plugin
    for i in 1 2 3; do
        check "start $i" nm_start
        check "  has the plugin" loaded
        nm_kill
    done
    refused "ended three times soon after loading" "ended 3 times in a row within 30 seconds of loading this plugin; not loaded, .*Remove $MARKER" nm_start
    nm_stop
    rm $MARKER
    for i in 1 2; do
        check "bad start $i" nm_start
        nm_kill
    done
    check "a start" nm_start
    check "  that ends well" nm_stop
    check "makes good for them" grep -q 'unstable=0' $MARKER
}

case_marker() {
    put_plugin
    mkdir -p /run/NetworkManager/nm-infiniband
    local what
    for what in '' '!' "$(printf '%039d' 0)" "$(head -c 200 /dev/urandom | base64)"; do
        printf '%s\n' "$what" >$MARKER
        check "the daemon starts with a marker of ${#what} wrong bytes" nm_start
        check "  and has the plugin" loaded
        check "  the marker is whole again" grep -q '^\. nm-ib-marker-1 ' $MARKER
        nm_stop
    done
    rm $MARKER
    mkfifo $MARKER
    check "the daemon starts with a FIFO there" nm_start
    check "  and has the plugin" loaded
    check "  and a marker" test -f $MARKER
    nm_stop
    rm $MARKER
    ln -s /etc/passwd $MARKER
    check "the daemon starts with a link there" nm_start
    check "  and has the plugin" loaded
    check "  where the link led to, nothing changed" cmp /etc/passwd /run/etc/passwd
    check "  and the marker is a file" eval "test -f $MARKER && test ! -L $MARKER"
    : >$MARKER # a clumsy hand, while it runs
    check_daemon_works
    nm_stop
    rm $MARKER
    mkdir $MARKER
    check "the daemon starts with a directory there" nm_start
    check "  and has the plugin" loaded
    check "  and says there is no marker" logged 'nm-ib: the crash marker cannot be written, .*: '
    nm_stop
    rmdir $MARKER
    : >$MARKER
    exec 7<$MARKER
    lock 37 RDLCK >/dev/null # F_OFD_SETLK, as anybody can
    check "the daemon starts with a marker that somebody else has locked" nm_start
    check "  and has the plugin" loaded
    check "  and a marker of its own, locked" locked
    exec 7<&-
    nm_stop
    rm $MARKER
    chmod o+w /run/NetworkManager/nm-infiniband
    check "the daemon starts with a state directory others can write" nm_start
    check "  and says there is no marker" logged 'nm-ib: the crash marker cannot be written, .* users other than root can write there'
    check "  and puts nothing there" test ! -e $MARKER
}
