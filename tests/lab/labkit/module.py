# SPDX-License-Identifier: LGPL-2.1-or-later
"""Build softhca.ko for the guest's kernel, in the guest's build tree."""

import glob
import os
import shutil

from . import cache
from .common import LAB, LabError, Step, run


def key(guest_key):
    return cache.digest("softhca", "labkit/module.py", f"={guest_key}")


def build(release, guest, directory):
    """guest: the directory that guest.build() made. BTF is left out: it needs pahole."""
    with Step(f"softhca.ko for {release}"):
        tree = f"{guest}/build/softhca"
        shutil.rmtree(tree, ignore_errors=True)
        os.mkdir(tree)
        for path in glob.glob(f"{LAB}/softhca/*.[ch]") + [f"{LAB}/softhca/Kbuild"]:
            shutil.copy(path, tree)
        with open(f"{guest}/version") as f:
            version = f.read().strip()
        text = run(["chroot", f"{guest}/build", "make", "-C", f"/usr/src/linux-headers-{version}", "M=/softhca",
                    "CONFIG_DEBUG_INFO_BTF_MODULES=", f"-j{os.cpu_count()}", "modules"])
        if "warning:" in text:
            raise LabError("softhca compiles with warnings:\n" +
                           "\n".join(line for line in text.splitlines() if "warning:" in line))
        run(["chroot", f"{guest}/build", "strip", "-g", "/softhca/softhca.ko"])
        shutil.copy(f"{tree}/softhca.ko", directory)
