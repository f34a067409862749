# SPDX-License-Identifier: LGPL-2.1-or-later
"""Build softhca.ko for the guest's kernel, in the guest's build tree, and modules of the kernel that Debian leaves out."""

import glob
import os
import shutil

from . import cache
from .apt import Apt
from .common import LAB, LabError, Step, run

# name: its folder in the kernel's source, and the options that it is built by
OTHERS = {"siw": ("drivers/infiniband/sw/siw", "CONFIG_RDMA_SIW=m")}


def key(guest_key):
    return cache.digest("softhca", "labkit/module.py", f"={guest_key}")


def other_key(name, guest_key):
    return cache.digest("labkit/module.py", "labkit/apt.py", f"={name}", f"={guest_key}")


def version_of(guest):
    with open(f"{guest}/version") as f:
        return f.read().strip()


def _make(guest, name, *options):
    """What is in build/NAME of the guest becomes NAME.ko there. BTF is left out: it needs pahole."""
    text = run(["chroot", f"{guest}/build", "make", "-C", f"/usr/src/linux-headers-{version_of(guest)}", f"M=/{name}",
                "CONFIG_DEBUG_INFO_BTF_MODULES=", *options, f"-j{os.cpu_count()}", "modules"])
    run(["chroot", f"{guest}/build", "strip", "-g", f"/{name}/{name}.ko"])
    return text


def build(release, guest, directory):
    """guest: the directory that guest.build() made."""
    with Step(f"softhca.ko for {release}"):
        tree = f"{guest}/build/softhca"
        shutil.rmtree(tree, ignore_errors=True)
        os.mkdir(tree)
        for path in glob.glob(f"{LAB}/softhca/*.[ch]") + [f"{LAB}/softhca/Kbuild"]:
            shutil.copy(path, tree)
        text = _make(guest, "softhca")
        if "warning:" in text:
            raise LabError("softhca compiles with warnings:\n" +
                           "\n".join(line for line in text.splitlines() if "warning:" in line))
        shutil.copy(f"{tree}/softhca.ko", directory)


def build_other(release, guest, directory, name):
    """A module that the kernel's source has and Debian's kernel has not, of the source package of that kernel."""
    folder, option = OTHERS[name]
    with Step(f"{name}.ko for {release}"):
        source = f"linux-source-{'.'.join(version_of(guest).split('.')[:2])}"
        os.mkdir(f"{directory}/apt")
        Apt(release, f"{directory}/apt").unpack(source, f"{directory}/apt")
        tree = f"{guest}/build/{name}"
        shutil.rmtree(tree, ignore_errors=True)
        os.mkdir(tree)
        run(["tar", "-xJf", f"{directory}/apt/usr/src/{source}.tar.xz", "-C", tree,
             f"--strip-components={folder.count('/') + 2}", f"{source}/{folder}"])
        _make(guest, name, option)
        shutil.copy(f"{tree}/{name}.ko", directory)
        shutil.rmtree(f"{directory}/apt")
