# SPDX-License-Identifier: LGPL-2.1-or-later
"""A changed tree for the guest: a copy of the guest's tree, modified by apt, for example. The kernel of the release boots it."""

import os

from . import guest
from .common import LabError, Step, run


def copy(cache, release, directory):
    """Copies the tree of the release to `directory`, which must not exist."""
    if os.geteuid() != 0:
        raise LabError("root needs root: it copies a Debian tree")
    if os.path.lexists(directory):
        raise LabError(f"{directory}: it is there already")
    root = cache.get("guest", guest.key(release), lambda d: guest.build(release, d)) + "/root"
    run(["cp", "-a", "--reflink=auto", root, directory])


def image(built, directory, path):
    """Makes a disk image of the tree at `path`. Adds the modules of the kernel that `built`, a guest, boots."""
    with Step(f"disk image of {directory}"):
        for part in ("usr/lib/modules", "boot"):
            run(["cp", "-a", "--reflink=auto", f"{built}/root/{part}/.", f"{directory}/{part}/"])
        size = int(run(["du", "-sm", directory]).split()[0])
        run(["mkfs.ext4", "-q", "-F", "-O", "^has_journal", "-E", "lazy_itable_init=1", "-d", directory, path, f"{size * 13 // 10 + 200}M"])
