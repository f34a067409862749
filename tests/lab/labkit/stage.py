# SPDX-License-Identifier: LGPL-2.1-or-later
"""The package under test, as `meson install --destdir` left it, on its way into the guest."""

import os
import tarfile

from .common import LabError

PARTS = ("plugin", "dispatcher", "cli")
# what belongs to a part and must not be there when the part was not asked for
FILES = {
    "plugin": ("usr/lib/nm-infiniband/", "usr/libexec/nm-infiniband/nm-ib-link", "usr/lib/systemd/system/",
               "lib/systemd/system/"),
    "dispatcher": ("usr/libexec/nm-infiniband/nm-ib-dispatcher", "usr/lib/NetworkManager/dispatcher.d/"),
    "cli": ("usr/bin/nm-ib",),
}


def parse_parts(text):
    """ "plugin,dispatcher" -> {"plugin", "dispatcher"}; "none" -> nothing. "+" separates as well."""
    parts = {p for p in text.replace("+", ",").split(",") if p} - {"none"}
    for part in parts:
        if part not in PARTS:
            raise LabError(f"--with {text}: {part} is none of {', '.join(PARTS)}, none")
    return parts


def pre_up():
    """The link by which the helper also works before an activation is announced."""
    link = tarfile.TarInfo("usr/lib/NetworkManager/dispatcher.d/pre-up.d/10-nm-ib")
    link.type = tarfile.SYMTYPE
    link.linkname = "/usr/libexec/nm-infiniband/nm-ib-dispatcher"
    return link


def pack(stage, parts, path):
    """A tar of the stage with only these parts, at `path`. "shared" files (configuration, quirks) go with any part."""
    if not os.path.isdir(stage):
        raise LabError(f"stage {stage}: no such directory; make it with meson install --destdir")
    leave = tuple(f for part in PARTS if part not in parts for f in FILES[part])
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

    with tarfile.open(path, "w", format=tarfile.GNU_FORMAT) as tar:
        for name in sorted(os.listdir(stage)):
            tar.add(os.path.join(stage, name), name, filter=chosen)
        if "dispatcher" in parts and "plugin" not in parts:
            tar.addfile(pre_up())  # as -Dpre_up=true installs it; the other variants are as installed by default
    if not count:
        raise LabError(f"stage {stage}: nothing in it for {', '.join(sorted(parts))}")
