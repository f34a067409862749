# SPDX-License-Identifier: LGPL-2.1-or-later
"""Runs the test programs: which mutants does each execute, and does one fail with a mutant?"""

import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass, field

QUICK = 0.5  # seconds: cases below run together


@dataclass
class Test:
    """A test of meson, or one case of a GoogleTest program."""
    name: str
    command: list
    env: dict
    workdir: str
    tap: bool = False
    case: str = ""
    seconds: float = 0
    seen: set = field(default_factory=set)

    def __str__(self):
        return f"{self.name}:{self.case}" if self.case else self.name


def sandbox(at):
    """The start of a command that runs the rest in namespaces where only /tmp, `at` and an own /run can be written: a mutant may kill,
    mount, remove files, or change a network. Empty without root."""
    if os.geteuid() != 0:
        return []
    script = ('mount --bind /tmp /tmp && mount --bind "$0" "$0" && mount -t tmpfs tmpfs /run && mount -o remount,bind,ro / && '
              'ip link set lo up && exec "$@"')
    start = ["unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc", "--propagation", "private", "sh", "-c", script, at]
    return start if subprocess.run([*start, "true"], stderr=subprocess.DEVNULL, check=False).returncode == 0 else []


class Runner:
    """Runs tests. The files of marks are in the directory `at`; count: their size."""

    def __init__(self, at, count):
        self.at, self.count, self.apart = at, count, sandbox(at)

    def run(self, test, cases, limit, mutant=0, seen=None):
        """Returns true if the test passes within `limit` seconds."""
        command = [*self.apart, *test.command]
        if cases:
            command += [f"--gtest_filter={':'.join(cases)}", "--gtest_brief=1", "--gtest_fail_fast"]
        env = {**os.environ, **test.env, "NMIB_MUTANT": str(mutant), "TMPDIR": "/tmp"}
        env.pop("NMIB_MUTATION_SEEN", None)
        if seen:
            env["NMIB_MUTATION_SEEN"] = seen
        with tempfile.TemporaryFile() as out:
            with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT, cwd=test.workdir or self.at,
                                  env=env, start_new_session=True) as process:
                try:
                    status = process.wait(limit)
                except BaseException as e:
                    os.killpg(process.pid, signal.SIGKILL)
                    if not isinstance(e, subprocess.TimeoutExpired):
                        raise
                    return False
            if status == 0 and test.tap:
                out.seek(0)
                return not re.search(rb"^(not ok|Bail out!)", out.read(), re.M)
        return status == 0

    def survey(self, test):
        """Runs a test without a mutant: sets its time and what it executes. Returns false if it fails."""
        with tempfile.NamedTemporaryFile(dir=self.at, prefix="seen-") as marks:
            marks.truncate(self.count)
            start = time.monotonic()
            passed = self.run(test, [test.case] if test.case else [], 1500, seen=marks.name)
            test.seconds = time.monotonic() - start
            marks.seek(0)
            test.seen = {m.start() for m in re.finditer(rb"\x01", marks.read())}
        return passed

    def batches(self, tests, mutant):
        """Returns the tests that execute a mutant, fastest first: (seconds, test, cases)."""
        quick, batches = {}, []
        for test in tests:
            if mutant not in test.seen:
                continue
            if test.case and test.seconds < QUICK:
                quick.setdefault(test.name, []).append(test)
            else:
                batches.append((test.seconds, test, [test.case] if test.case else []))
        for cases in quick.values():
            batches.append((sum(c.seconds for c in cases), cases[0], [c.case for c in cases]))
        return sorted(batches, key=lambda b: b[0])

    def kill(self, tests, mutant, limit):
        """Returns "killed", "not executed", or "survived", and the names of tests. Tests after `limit` seconds do not run."""
        batches = self.batches(tests, mutant)
        if not batches:
            return "not executed", []
        ran, spent = [], 0
        for seconds, test, cases in batches:
            if ran and spent + seconds > limit:
                return "survived", ran + [f"not run: {test.name} and slower"]
            spent += seconds
            ran.append(f"{test.name}:{cases[0]}" + (f" and {len(cases) - 1} more" if len(cases) > 1 else "") if cases else test.name)
            if not self.run(test, cases, 3 * seconds + 5, mutant):
                return "killed", [ran[-1]]
        return "survived", ran


def cases(program):
    """The cases of a GoogleTest program."""
    listed = subprocess.run([program, "--gtest_list_tests"], capture_output=True, text=True, check=True).stdout
    suite = ""
    for line in listed.splitlines():
        line = line.split("#")[0].rstrip()
        if line.startswith("  ") and "DISABLED_" not in suite + line:
            yield suite + line.strip()
        elif line.endswith("."):
            suite = line


def listed(build, only_unit, skipped=("install",)):
    """The tests of meson that can run without a guest: (test, the targets that it needs)."""
    out = subprocess.run(["meson", "introspect", "--tests", build], capture_output=True, text=True, check=True).stdout
    for test in json.loads(out):
        suites = {s.split(":")[-1] for s in test["suite"]}
        if not suites & ({"unit"} if only_unit else {"unit", "integration"}) or test["name"] in skipped:
            continue
        # meson names a program of the build by a path relative to the build, or through the source's folder
        command = [os.path.normpath(os.path.join(build, word)) if "/" in word and not word.startswith("-") else word for word in test["cmd"]]
        if not shutil.which(command[0]) and not command[0].startswith(build):
            continue
        targets = [os.path.relpath(w, build) for w in command if w.startswith(f"{build}/")]
        yield Test(test["name"], command, test["env"], test["workdir"], test["protocol"] == "tap"), test["protocol"] == "gtest", targets
