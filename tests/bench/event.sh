#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# event.sh DIRECTORY ROUNDS DISPATCHER ENTRY: samples of one dispatcher event, in a network namespace (or guest) that has ib0,
# ib1 and an InfiniBand profile at DIRECTORY/profile. DIRECTORY also holds the programs of this folder. Mounts over
# /sys/bus, so it must run in a separate mount namespace or in a guest.
set -eu
dir=$1 rounds=$2 dispatcher=$3 entry=$4

mount -t tmpfs tmpfs /sys/bus/pci
mkdir /sys/bus/pci/slots
for count in 3 300; do "$dir/pcitree.py" "/sys/bus/pci/devices$count" "$count"; done

# Before each sample the offload is on, so that the helper must turn it off.
cat > "$dir/before" <<'B'
#!/bin/sh
case $1 in *300) ln -sfn devices300 /sys/bus/pci/devices ;; *) ln -sfn devices3 /sys/bus/pci/devices ;; esac
case $1 in settled*) ;; *) ethtool -K ib0 tx-tcp-segmentation on ;; esac
B
chmod +x "$dir/before"

export CONNECTION_UUID=6c7dcff2-4b8c-4c38-9c6b-1f6f2b7d7a10 CONNECTION_ID=bench CONNECTION_FILENAME=$dir/profile
export DEVICE_IFACE=ib0 DEVICE_IP_IFACE=ib0
for program in "$dir/recipe.sh" "$dispatcher"; do
    for tree in tree3 tree300; do
        "$dir/before" $tree
        "$program" ib0 pre-up
        ethtool -k ib0 | grep -q '^tcp-segmentation-offload: off' || {
            echo "event.sh: $program leaves TSO on, so there is nothing to compare" >&2
            exit 1
        }
    done
done >&2

"$dir/bench-spawn" --before "$dir/before" "$rounds" \
    recipe3="$dir/recipe.sh ib0 pre-up" recipe300="$dir/recipe.sh ib0 pre-up" \
    ours3="$dispatcher ib0 pre-up" ours300="$dispatcher ib0 pre-up" \
    settled="$dispatcher ib0 pre-up" other="$entry lo up" \
    empty="$dir/bench-empty" dynamic="$dir/bench-empty-dynamic"
