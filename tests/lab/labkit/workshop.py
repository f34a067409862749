# SPDX-License-Identifier: LGPL-2.1-or-later
"""The workshop of a release: a Debian tree with what tests/packages says a build of the product needs."""

import os
import shutil

from . import cache
from .apt import Apt
from .common import LAB, Step, run


def _packages():
    return run([os.path.join(LAB, "../packages"), "product"]).split()


def key(release):
    return cache.digest("labkit/workshop.py", "labkit/apt.py", f"={release}", *(f"={name}" for name in _packages()))


def build(release, directory):
    with Step(f"workshop {release}: Debian tree"):
        os.mkdir(f"{directory}/apt")
        Apt(release, f"{directory}/apt").bootstrap(_packages(), f"{directory}/root")
        shutil.rmtree(f"{directory}/apt")
