# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# How the daemon loads the plugin, and which errors it survives. Each case runs in its own sandbox.

case_loads() {
    put_plugin
    check "daemon with the plugin: starts" nm_start
    check "daemon with the plugin: loads it" loaded
    check "marker, daemon runs: clean" is "$(marker)" .
    check "marker, daemon runs: locked" locked
    check_daemon_works
    check "devices that are no InfiniBand: nothing is logged" eval '! logged "nm-ib:"'
    check "daemon with the plugin: ends well" nm_stop
    check "marker, daemon ended: not locked" eval '! locked'
    check "marker, daemon ended: clean, with no unstable start" grep -q '^\. nm-ib-marker-2 unstable=0 ' $MARKER
}
is() { [ "$1" = "$2" ] || { echo "is '$1', should be '$2'"; return 1; }; }

case_object() {
    local needed has exported
    needed=$(objdump -p "$PLUGIN" | sed -n 's/^ *NEEDED *//p' | sort)
    has=$(ldd /usr/sbin/NetworkManager | awk '{ sub(".*/", "", $1); print $1 }' | sort)
    check "plugin object: needs only libraries that the daemon has" is "$(comm -23 <(echo "$needed") <(echo "$has"))" ""
    exported=$(nm -D --defined-only "$PLUGIN" | awk '{print $3}')
    check "plugin object: exports only its entry" is "$exported" nm_device_factory_create
    check "plugin object: binds at once and stays loaded" eval "readelf -d '$PLUGIN' | grep -q 'BIND_NOW' && readelf -d '$PLUGIN' | grep -q NODELETE"
    # an object built on a newer Debian is not used on Debian 12
    [ "$(getconf GNU_LIBC_VERSION)" != "glibc 2.36" ] || check "plugin object: needs no newer C library than Debian 12's" eval \
        "{ objdump -T '$PLUGIN' | grep -o 'GLIBC_[0-9.]*' | sort -Vu | tail -1; echo GLIBC_2.36; } | sort -VC"
    check "plugin object: has no executable stack" eval "readelf -lW '$PLUGIN' | grep GNU_STACK | grep -q 'RW '"
}

case_symlink() {
    install -m 644 -D "$PLUGIN" /run/own/object.so
    ln -s /run/own/object.so "$OBJECT"
    check "daemon with a symlink to the plugin: starts" nm_start
    check "daemon with a symlink to the plugin: loads it" loaded
    check_daemon_works
}

refused() { # refused "why" REGEX START...: the plugin is not loaded, the log has REGEX, and the daemon works
    local why=$1 said=$2
    shift 2
    check "plugin refused, $why: the daemon starts" "$@"
    # On a busy machine plugin=false is read after the load.
    check "plugin refused, $why: not loaded, or switched off at once" eval '! loaded || logged "read after the start"'
    check "plugin refused, $why: no lock" eventually eval '! locked'
    check "plugin refused, $why: the log has the reason" logged "$said"
    check "plugin refused, $why: no thread of the plugin runs" eventually eval '! cat /proc/$(nm_pid)/task/*/comm | grep -qx nm-ib'
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
    refused "owned by another user" 'file has invalid owner' nm_start
}

case_broken_file() {
    install -m 644 /dev/null "$OBJECT"
    refused "an empty file" 'failed to load plugin' nm_start
    nm_stop
    head -c 5000 /dev/urandom >"$OBJECT"
    refused "no object file" 'failed to load plugin' nm_start
}

case_abi() {
    put_plugin
    refused "a factory class of another size" 'unexpected ABI \(class 192, instance 24; built for 184, 24\): this NetworkManager is not supported' \
        nm_faulty FAULT_CLASS_SIZE=8
    check "plugin refused, a factory class of another size: the marker is clean" is "$(marker)" .
    nm_stop
    local why words faults
    while IFS='|' read -r why words faults; do
        refused "$why" "$words" nm_faulty $faults
        nm_stop
    done <<'END'
a factory of another size|unexpected ABI \(class 184, instance 32; built for 184, 24\)|FAULT_INSTANCE_SIZE=8
a factory with another parent|unexpected ABI \(class 184, instance 24; built for 184, 24\)|FAULT_PARENT=1
a signal without hooks|unexpected ABI \(no NMDevice::state-changed with three numbers that takes hooks\)|FAULT_NO_HOOKS=state-changed
a signal with a result|unexpected ABI \(no NMDevice::state-changed|FAULT_SIGNAL=state-changed FAULT_RETURNS=1
a signal with fewer parameters|unexpected ABI \(no NMDevice::state-changed|FAULT_SIGNAL=state-changed FAULT_PARAMS=1
a signal with text|unexpected ABI \(no NMDevice::state-changed|FAULT_SIGNAL=state-changed FAULT_TEXT=1
a signal that GLib does not hook|GLib refuses a hook on NMDevice::state-changed|FAULT_NO_HOOK=1
a type that GLib does not register|GLib refuses the type NmibInfinibandFactory|FAULT_NO_TYPE=1
END
}

case_missing_symbol() {
    put_plugin
    local symbol
    for symbol in nm_device_get_{applied_setting,act_request}; do
        refused "$symbol missing" "unexpected ABI \(no $symbol" nm_without $symbol
        nm_stop
    done
    for symbol in nm_device_get_applied_connection nm_active_connection_get_device; do
        check "daemon without $symbol: starts" nm_without $symbol
        check "daemon without $symbol: loads the plugin" loaded
        check "daemon without $symbol: one line names the missing symbol" eval "is \"\$(grep -c 'nm-ib: .*: this NetworkManager does not export $symbol' $LOG)\" 1"
        nm_stop
    done
    # only a daemon with Wi-Fi exports it
    check "daemon without nm_device_get_settings_connection: starts" nm_without nm_device_get_settings_connection
    check "daemon without nm_device_get_settings_connection: loads the plugin without a warning" eval "loaded && ! logged 'nm-ib: .*does not export'"
    nm_stop
}

case_switched_off() {
    put_plugin
    printf '[main]\nplugin=false\n' >$CONF
    refused "plugin=false" "switched off by plugin=false in $CONF" nm_start
    nm_stop
    printf '[main]\nplugin=false\nremove-leftover-children=perhaps\nspeed=11\n' >$CONF
    refused "plugin=false beside mistakes" "switched off by plugin=false in $CONF" nm_start
    nm_stop
    printf '[main]\nplugin=perhaps\n' >$CONF
    check "mistake in nm-ib.conf: the daemon starts" nm_start
    check "mistake in nm-ib.conf: the log names it" logged "nm-ib: $CONF:2: plugin=perhaps is not valid, ignoring"
    check "mistake in nm-ib.conf: the plugin is loaded, with the built-in values" loaded
}

# std::bad_alloc, from an allocator that fails only for the plugin
case_exceptions() {
    put_plugin
    mkdir /run/fault
    touch /run/fault/starve
    refused "an exception while loading" 'nm-ib: loading: std::bad_alloc' nm_faulty
    nm_stop
    rm /run/fault/starve
    # The plugin takes veth devices for InfiniBand, so that its hook runs, and fails.
    check "daemon with an InfiniBand veth: starts" nm_faulty FAULT_DEVICE=NMDeviceVeth
    check "daemon with an InfiniBand veth: loads the plugin" loaded
    touch /run/fault/starve
    check_daemon_works
    check "exception in the hook: caught and logged" logged 'nm-ib: state change: std::bad_alloc, ignoring'
    rm /run/fault/starve
    check_daemon_works
    check "daemon after an exception in the hook: ends well" nm_stop
    check "marker, after an exception in the hook: clean" is "$(marker)" .
}

# A child that cannot be read is not reported as removed.
case_netlink_error() {
    put_plugin
    mkdir /run/fault
    check "daemon with an InfiniBand veth: starts" nm_faulty FAULT_DEVICE=NMDeviceVeth
    check_daemon_works
    touch /run/fault/netlink
    nmcli -w 20 connection up p >/dev/null
    nmcli -w 20 connection down p >/dev/null
    check "leftover interface that cannot be read: logged as an error" eventually_logged "nm-ib: interface $(cat /sys/class/net/v0/ifindex): Operation not permitted"
    rm /run/fault/netlink
    check_daemon_works
}
eventually_logged() { for _ in $(seq 100); do ! logged "$1" || return 0; sleep 0.05; done; return 1; }

# With G_DEBUG=fatal-warnings a GLib warning ends the daemon. The plugin's lines are no GLib warnings, whatever their priority.
case_fatal_warnings() {
    check "fatal warnings, no plugin: the daemon starts" nm_start G_DEBUG=fatal-warnings
    check_daemon_works
    nm_stop
    put_plugin
    printf '[main]\nplugin=false\nremove-leftover-children=perhaps\nspeed=11\n' >$CONF
    refused "plugin=false beside mistakes" "switched off by plugin=false in $CONF" nm_start
    nm_stop
    printf '[main]\nplugin=perhaps\n' >$CONF
    mkdir /run/fault
    check "fatal warnings: the daemon starts" nm_faulty G_DEBUG=fatal-warnings FAULT_DEVICE=NMDeviceVeth
    check "fatal warnings: the daemon loads the plugin" loaded
    check "fatal warnings: a mistake in nm-ib.conf is logged" logged "nm-ib: $CONF:2: plugin=perhaps is not valid"
    touch /run/fault/starve
    check_daemon_works
    check "fatal warnings: an exception in the hook is logged" logged 'nm-ib: state change: std::bad_alloc, ignoring'
    rm /run/fault/starve
    check "fatal warnings: the daemon ends well" nm_stop
    check "fatal warnings: the marker is clean" is "$(marker)" .
    check "fatal warnings, next start: the daemon starts" nm_start
    check "fatal warnings, next start: the daemon loads the plugin" loaded
}

case_crash() {
    put_plugin
    mkdir /run/fault
    check "daemon with an InfiniBand veth: starts" nm_faulty FAULT_DEVICE=NMDeviceVeth
    touch /run/fault/crash
    ip link add v0 type veth peer name v1
    check "crash in the plugin: ends the daemon" nm_gone
    check "crash in the plugin: the marker has it" is "$(marker)" '!'
    rm /run/fault/crash
    ip link del v0
    refused "after a crash in our code" "NetworkManager ended while this plugin was at work: plugin not loaded, .* Remove $MARKER to try again, or set plugin=false" nm_start
    nm_stop
    refused "after a crash in our code, second start" "Remove $MARKER" nm_start
    nm_stop
    rm $MARKER
    check "marker removed after a crash: the daemon starts" nm_start
    check "marker removed after a crash: the daemon loads the plugin" loaded
}

case_unstable() {
    put_plugin
    for i in 1 2 3; do
        check "start $i, before a kill: the daemon starts" nm_start
        check "start $i, before a kill: the daemon loads the plugin" loaded
        nm_kill
    done
    refused "after three kills soon after loading" "ended 3 times in a row within 30 seconds of loading this plugin: plugin not loaded, .*Remove $MARKER" nm_start
    nm_stop
    rm $MARKER
    for i in 1 2; do
        check "start $i after the marker was removed: the daemon starts" nm_start
        nm_kill
    done
    check "calm start after two killed ones: the daemon starts" nm_start
    check "calm start after two killed ones: the daemon ends well" nm_stop
    check "calm start after two killed ones: the marker counts no unstable start" grep -q 'unstable=0' $MARKER
    for i in 1 2; do
        nm_start && nm_kill
    done
    check "start that lasts after two killed ones: the daemon starts" nm_faulty FAULT_SECOND=10
    check "start that lasts after two killed ones: the marker counts no unstable start" eventually grep -q 'unstable=0' $MARKER
    nm_kill
    check "kill of a daemon that has lasted: the next one starts" nm_start
    check "kill of a daemon that has lasted: the next one loads the plugin" loaded
    check "kill of a daemon that has lasted: the marker counts only this one" grep -q 'unstable=1' $MARKER
}

case_marker() {
    put_plugin
    mkdir -p /run/NetworkManager/nm-infiniband
    local what
    for what in '' '!' "$(printf '%039d' 0)" "$(head -c 200 /dev/urandom | base64)"; do
        printf '%s\n' "$what" >$MARKER
        check "marker with ${#what} wrong bytes: the daemon starts" nm_start
        check "marker with ${#what} wrong bytes: the daemon loads the plugin" loaded
        check "marker with ${#what} wrong bytes: the marker is repaired" grep -q '^\. nm-ib-marker-2 ' $MARKER
        nm_stop
    done
    rm $MARKER
    mkfifo $MARKER
    check "FIFO in place of the marker: the daemon starts" nm_start
    check "FIFO in place of the marker: the daemon loads the plugin" loaded
    check "FIFO in place of the marker: the marker is a file" test -f $MARKER
    nm_stop
    rm $MARKER
    ln -s /etc/passwd $MARKER
    check "symlink in place of the marker: the daemon starts" nm_start
    check "symlink in place of the marker: the daemon loads the plugin" loaded
    check "symlink in place of the marker: its target is unchanged" cmp /etc/passwd /run/etc/passwd
    check "symlink in place of the marker: the marker is a file" eval "test -f $MARKER && test ! -L $MARKER"
    : >$MARKER # truncated by mistake while the daemon runs
    check_daemon_works
    nm_stop
    rm $MARKER
    mkdir $MARKER
    check "directory in place of the marker: the daemon starts" nm_start
    check "directory in place of the marker: the daemon loads the plugin" loaded
    check "directory in place of the marker: the log has the reason why there is no marker" logged 'nm-ib: the crash marker cannot be written, .*: '
    nm_stop
    rmdir $MARKER
    : >$MARKER
    exec 7<$MARKER
    lock 37 RDLCK >/dev/null # F_OFD_SETLK, which any user can do
    check "marker locked by another process: the daemon starts" nm_start
    check "marker locked by another process: the daemon loads the plugin" loaded
    check "marker locked by another process: the daemon has its own marker, locked" locked
    exec 7<&-
    nm_stop
    rm $MARKER
    chmod o+w /run/NetworkManager/nm-infiniband
    check "state directory that others can write: the daemon starts" nm_start
    check "state directory that others can write: the log has the reason why there is no marker" logged 'nm-ib: the crash marker cannot be written, .* users other than root can write there'
    check "state directory that others can write: no marker is written" test ! -e $MARKER
}
