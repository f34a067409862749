# SPDX-License-Identifier: LGPL-2.1-or-later
"""The workshop of a release: a Debian tree with what tests/packages says a build of the product, or a package, needs."""

import os
import shutil

from . import cache
from .apt import Apt
from .common import LAB, Step, run


class Workshop:
    def __init__(self, name, word):
        self.name = name
        self.word = word

    def _packages(self):
        return run([os.path.join(LAB, "../packages"), self.word]).split()

    def key(self, release):
        return cache.digest("labkit/workshop.py", "labkit/apt.py", f"={release}", *(f"={name}" for name in self._packages()))

    def build(self, release, directory):
        with Step(f"{self.name} {release}: Debian tree"):
            os.mkdir(f"{directory}/apt")
            Apt(release, f"{directory}/apt").bootstrap(self._packages(), f"{directory}/root")
            shutil.rmtree(f"{directory}/apt")


KINDS = {kind.name: kind for kind in (Workshop("workshop", "product"), Workshop("packager", "package"))}
