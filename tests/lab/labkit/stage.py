# SPDX-License-Identifier: LGPL-2.1-or-later
"""The files laid over the guest: the package under test, from `meson install --destdir`, and other programs."""

import os
import tarfile

from .common import LabError

PARTS = ("plugin", "dispatcher", "cli")
# the files of each part, absent without the part
FILES = {
    "plugin": ("usr/lib/nm-infiniband/", "usr/libexec/nm-infiniband/nm-ib-loader", "usr/lib/systemd/system/NetworkManager.service.d/",
               "lib/systemd/system/NetworkManager.service.d/"),
    "dispatcher": ("usr/libexec/nm-infiniband/nm-ib-dispatcher", "usr/lib/NetworkManager/dispatcher.d/",
                   "usr/lib/udev/rules.d/71-nm-infiniband-rdma.rules", "usr/lib/systemd/system/nm-ib-rdma@.service"),
    "cli": ("usr/bin/nm-ib", "usr/lib/udev/rules.d/70-nm-infiniband.rules", "usr/share/initramfs-tools/", "usr/lib/dracut/",
            "usr/lib/systemd/system/nm-ib-metrics@", "usr/share/locale/", "usr/share/bash-completion/", "usr/share/zsh/"),
}
UNREAD = ("usr/share/man/",)  # no program of the guest reads them


def parse_parts(text):
    """ "plugin,dispatcher" -> {"plugin", "dispatcher"}; "none" -> nothing. "+" separates as well."""
    parts = {p for p in text.replace("+", ",").split(",") if p} - {"none"}
    for part in parts:
        if part not in PARTS:
            raise LabError(f"--with {text}: {part} is none of {', '.join(PARTS)}, none")
    return parts


def pre_up():
    """Returns the link by which the helper also works before an activation is announced."""
    link = tarfile.TarInfo("usr/lib/NetworkManager/dispatcher.d/pre-up.d/10-nm-ib")
    link.type = tarfile.SYMTYPE
    link.linkname = "/usr/lib/NetworkManager/dispatcher.d/10-nm-ib"
    return link


OVER = ("etc", "usr", "var")  # of other programs; other directories are links into usr


def _add(tar, directory, names, leave=()):
    """Adds the files below these names, owned by root. Returns the number of files."""
    count = 0

    def chosen(member):
        nonlocal count
        member.uid = member.gid = 0
        member.uname = member.gname = "root"
        member.mode &= ~0o022
        if (member.name + "/" * member.isdir()).startswith(leave):
            return None
        count += not member.isdir()
        return member

    for name in names:
        if os.path.exists(os.path.join(directory, name)):
            tar.add(os.path.join(directory, name), name, filter=chosen)
    return count


def pack(path, stage, parts, over):
    """Writes a tar of other programs, if given, and of these parts of the stage to `path`. "shared" files (configuration,
    quirks) belong to every part."""
    with tarfile.open(path, "w", format=tarfile.GNU_FORMAT) as tar:
        if over and not _add(tar, over, OVER):
            raise LabError(f"--over {over}: no directory with {', '.join(OVER)}")
        if not parts:
            return
        if not os.path.isdir(stage):
            raise LabError(f"stage {stage}: no such directory; make it with meson install --destdir")
        if not _add(tar, stage, sorted(os.listdir(stage)), UNREAD + tuple(f for p in PARTS if p not in parts for f in FILES[p])):
            raise LabError(f"stage {stage}: nothing in it for {', '.join(sorted(parts))}")
        if "dispatcher" in parts and "plugin" not in parts:
            tar.addfile(pre_up())  # like -Dpre_up=true; the other variants have the default
