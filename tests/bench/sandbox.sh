#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# sandbox.sh STAGE COMMAND...: runs the command in new network, mount and process namespaces, in which the files of `meson
# install --destdir STAGE` are installed. Needs root; changes nothing outside.
set -eu
if [ -z "${NMIB_BENCH_SANDBOX-}" ]; then
    NMIB_BENCH_SANDBOX=1 exec unshare --net --mount --propagation private --pid --fork --kill-child --mount-proc "$0" "$@"
fi
stage=$1
shift
mount -t sysfs sysfs /sys
# Only these directories: the programs of the reference stay on their own disk.
for d in /etc /usr/share; do mount -t overlay overlay -o "lowerdir=$stage$d:$d" "$d"; done
ip link set lo up
exec "$@"
