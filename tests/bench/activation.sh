# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# The part of the activation benchmark that host and guest share. The name of a variant shows what is installed:
#   PROFILE_none  PROFILE_plugin   without and with the device plugin, each in a new NetworkManager
#   ..._up        also the dispatcher helper in dispatcher.d
#   ..._preup     also the helper in pre-up.d
#   ..._nothing   a process that does nothing in pre-up.d: the cost without the helper itself
#   ..._cold      like ..., but NetworkManager's dispatcher must be started (it ends after ten idle seconds)
# The caller sets $BENCH (the programs of this folder, and 10-nm-ib), $PROFILES (lines of: device, UUID, PROFILE) and
# $DISPATCHER_D, and defines the functions `plugin on|off`, `daemon_start` and `daemon_stop`.

cat >"$BENCH/before" <<END
#!/bin/sh
rm -f $DISPATCHER_D/10-nm-ib $DISPATCHER_D/pre-up.d/10-nm-ib
case \$1 in *_up* | *_preup*) ln -s $BENCH/10-nm-ib $DISPATCHER_D/10-nm-ib ;; esac
case \$1 in *_preup*) ln -s $BENCH/10-nm-ib $DISPATCHER_D/pre-up.d/10-nm-ib ;; esac
case \$1 in *_nothing) ln -s $BENCH/bench-empty $DISPATCHER_D/pre-up.d/10-nm-ib ;; esac
case \$1 in *_cold) kill \$(pidof nm-dispatcher) && sleep 0.1 ;; esac
true
END
chmod 755 "$BENCH/before"

# as_wanted none|plugin: checks whether the running daemon has loaded the plugin
as_wanted() {
    if grep -q nm-device-plugin-infiniband "/proc/$(pidof NetworkManager)/maps"; then [ "$1" = plugin ]; else [ "$1" = none ]; fi
}

# measure BLOCKS SAMPLES SETTLE SUFFIX...: a block is one run of the daemon without the plugin and one with it, in
# alternating order. Within a run, each activation changes the links.
measure() {
    local blocks=$1 samples=$2 settle=$3 block part name
    shift 3
    for ((block = 0; block < blocks; block++)); do
        for part in $([ $((block % 2)) = 0 ] && echo none plugin || echo plugin none); do
            daemon_stop
            plugin "$([ "$part" = plugin ] && echo on || echo off)"
            daemon_start
            as_wanted "$part" || { echo "activation.sh: the plugin is not as wanted ($part)" >&2; exit 1; }
            while read -r device uuid name; do
                "$BENCH/bench-activation" --before "$BENCH/before" --round "$block" --samples "$samples" \
                    --settle "$settle" "$device" "$uuid" "${@/#/${name}_$part}" </dev/null
            done <<<"$PROFILES"
        done
    done
}
