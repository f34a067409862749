# SPDX-License-Identifier: LGPL-2.1-or-later
"""Runs one command in the tree of the guest or of a workshop, on this machine's kernel: without emulation, and without
softhca."""

import os
import subprocess

from . import guest, workshop
from .cache import Cache
from .common import LabError, die_with_parent, say
from .session import Scratch

# $1: the tree; $2: a directory laid over it, or ""; $3: "scratch" or ""; $4: an empty directory; then visible directories, with a
# "+" in front if writable; "--"; the command. The directories of the tree are read-only; with "scratch", changes are discarded when
# the command ends.
ENTER = r"""
set -e
tree=$1 over=$2 scratch=$3 new=$4
shift 4
mount -t tmpfs -o mode=755 tmpfs "$new"
cp -a "$tree/bin" "$tree/sbin" "$tree"/lib* "$new"  # links into usr
for d in etc usr var; do
    mkdir "$new/$d"
    lower=$tree/$d
    [ -z "$over" ] || [ ! -d "$over/$d" ] || lower=$over/$d:$lower
    if [ -n "$scratch" ]; then
        mkdir -p "$new/.written/$d" "$new/.work/$d"
        mount -t overlay -o "lowerdir=$lower,upperdir=$new/.written/$d,workdir=$new/.work/$d" overlay "$new/$d"
    elif [ "$lower" != "$tree/$d" ]; then
        mount -t overlay -o "lowerdir=$lower" overlay "$new/$d"
    else
        mount --bind "$tree/$d" "$new/$d"
        mount -o remount,bind,ro "$new/$d"
    fi
done
mkdir -m 1777 "$new/tmp"
mkdir -p "$new/dev" "$new/proc" "$new/run" "$new/sys" "$new/root"
for d in dev proc sys; do mount --rbind "/$d" "$new/$d"; done
while [ "$1" != -- ]; do
    dir=${1#+}
    mkdir -p "$new$dir"
    mount --bind "$dir" "$new$dir"
    [ "$dir" != "$1" ] || mount -o remount,bind,ro "$new$dir"
    shift
done
shift
exec chroot "$new" sh -c 'cd "$0" 2>/dev/null || cd /; exec "$@"' "$PWD" "$@"
"""


def run(release, kind, over, scratch, seen, given, command):
    """Returns the exit status of the command. `kind` is "guest" or a workshop. etc, usr and var in the directory `over` lie over those of
    the tree; with `scratch`, the command may change them, and the changes are discarded. `seen` are visible directories of this machine,
    `given` also writable ones. Inside one of them, the command starts in the current directory."""
    if os.geteuid() != 0:
        say("tree needs root")
        return 77  # meson: skipped
    if not command:
        raise LabError("tree needs a COMMAND")
    cache = Cache(release)  # holds the shared lock while it exists
    maker = {"guest": guest, **workshop.KINDS}[kind]
    root = cache.get(kind, maker.key(release), lambda d: maker.build(release, d)) + "/root"
    for option, directory in [("--see", d) for d in seen] + [("--give", d) for d in given] + [("--over", d) for d in [over] if d]:
        if not os.path.isdir(directory):
            raise LabError(f"{option} {directory}: no such directory")
    with Scratch() as new:
        return subprocess.run(["unshare", "--mount", "--propagation", "private", "sh", "-c", ENTER, "sh", root,
                               os.path.realpath(over) if over else "", "scratch" if scratch else "", new, *map(os.path.realpath, seen), *("+" + os.path.realpath(d) for d in given), "--", *command],
                              preexec_fn=die_with_parent, check=False,
                              env={**os.environ, "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin"}).returncode
