#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# sandbox.sh STAGE COMMAND...: the command in network, mount and process namespaces of its own, where what `meson install
# --destdir STAGE` left is installed. Needs root; nothing of it is left behind or seen outside.
set -eu
if [ -z "${NMIB_BENCH_SANDBOX-}" ]; then
    NMIB_BENCH_SANDBOX=1 exec unshare --net --mount --propagation private --pid --fork --kill-child --mount-proc "$0" "$@"
fi
stage=$1
shift
mount -t sysfs sysfs /sys
# Only these: the reference's programs stay on the disk they are on.
for d in /etc /usr/share; do mount -t overlay overlay -o "lowerdir=$stage$d:$d" "$d"; done
ip link set lo up
exec "$@"
