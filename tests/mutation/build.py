# SPDX-License-Identifier: LGPL-2.1-or-later
"""The copy of the tree, in which the named files have their mutants, and its build."""

import concurrent.futures
import hashlib
import json
import os
import pickle
import re
import shlex
import shutil
import subprocess
from dataclasses import dataclass

from . import rewrite, sites

PER_FILE = 2000  # numbers that are reserved for each file
ERROR = re.compile(r"^(\S+?):(\d+):(\d+): (?:fatal )?(error|note): (.*)")


class BuildError(Exception):
    """The build failed for another reason than a mutant."""


@dataclass
class Mutant:
    """One change. before, after: the lines of the source in one line."""
    number: int
    file: str
    line: int
    before: str
    after: str

    @property
    def folder(self):
        parts = self.file.split("/")
        return parts[1] if parts[0] == "helper" else parts[0]

    def __str__(self):
        return f"{self.file}:{self.line}: {self.before} -> {self.after}"


def digest(*parts):
    h = hashlib.sha256()
    for part in parts:
        h.update(part if isinstance(part, bytes) else part.encode())
        h.update(b"\0")
    return h.hexdigest()


def read(path):
    with open(path, "rb") as f:
        return f.read()


def write(path, text):
    """Writes a file if it differs, so that only what changed is compiled again."""
    if os.path.lexists(path) and not os.path.islink(path) and read(path) == text:
        return
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as f:
        f.write(text)


class Build:
    """`at`/source is the copy, `at`/build its build. say: prints a line about the progress."""

    def __init__(self, root, at, jobs, say):
        self.root, self.at, self.jobs, self.say = root, at, jobs, say
        self.source, self.build = f"{at}/source", f"{at}/build"
        listed = subprocess.run(["git", "-c", "safe.directory=*", "-C", root, "ls-files", "-zco", "--exclude-standard"],
                                capture_output=True, check=True).stdout
        self.files = sorted(f for f in listed.decode().split("\0") if f and os.path.lexists(f"{root}/{f}"))
        self.product = [f for f in self.files if re.fullmatch(r"(helper|plugin)/.*\.[ch]pp", f)]
        self.sites, self.texts, self.dropped = {}, {}, {}

    def base(self, file):
        return self.product.index(file) * PER_FILE

    @property
    def count(self):
        return (len(self.product) + 1) * PER_FILE

    def copy(self):
        """Brings the copy up to date. Files with mutants are written by instrument()."""
        os.makedirs(self.at, exist_ok=True)
        for file in self.files:
            path, copy = f"{self.root}/{file}", f"{self.source}/{file}"
            if file in self.sites or (not self.sites and file in self.earlier() and os.path.exists(copy)):
                continue
            if os.path.islink(path):
                if not os.path.islink(copy):
                    os.makedirs(os.path.dirname(copy), exist_ok=True)
                    os.symlink(os.readlink(path), copy)
                continue
            write(copy, read(path))
            shutil.copymode(path, copy)
        for folder, _, names in os.walk(self.source):
            for name in names:
                path = os.path.relpath(f"{folder}/{name}", self.source)
                if path not in self.files and not name.endswith(".pyc"):
                    os.remove(f"{folder}/{name}")

    def earlier(self):
        """The files that an earlier run wrote with mutants."""
        path = f"{self.at}/written"
        return read(path).decode().split() if os.path.exists(path) else []

    def configure(self):
        if os.path.exists(f"{self.build}/build.ninja"):
            return
        ccache = "ccache " if shutil.which("ccache") else ""
        options = ["-w", "-g0", "-Wno-c++11-narrowing"]
        self.run(["meson", "setup", self.build, self.source, "-Dlab=disabled", "-Dman=disabled", "-Doptimization=0", f"-Dcpp_args={options!r}"],
                 env={**os.environ, "CXX": f"{ccache}clang++-14"})

    def run(self, command, **more):
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **more)
        if done.returncode:
            raise BuildError("\n".join(done.stdout.splitlines()[-30:]))
        return done.stdout

    def arguments(self, file):
        """Returns the compiler options of a file, with the paths of the original tree; a header gets those of a file beside it."""
        commands = getattr(self, "commands", None)
        if commands is None:
            with open(f"{self.build}/compile_commands.json", encoding="utf-8") as f:
                self.commands = commands = {os.path.relpath(os.path.join(c["directory"], c["file"]), self.source): c["command"] for c in json.load(f)}
        folder = file
        while file not in commands:
            folder = os.path.dirname(folder)
            near = [c for c in commands if c.startswith(f"{folder}/")]
            if near:
                file = near[0]
        relative = os.path.relpath(self.source, self.build)
        options = [w for w in shlex.split(commands[file]) if re.match(r"-(I|D|std=|isystem|f(?!diagnostics))", w)]
        return [f"-working-directory={self.build}", "-xc++"] + [re.sub(rf"^-I{re.escape(relative)}(?=/|$)", f"-I{self.root}", w) for w in options]

    def find(self, files):
        """Finds the sites of the files; the result is kept until a file changes. Unchanged files of earlier runs keep their
        mutants, so that they need not be compiled again."""
        for file in self.earlier():
            if file not in files and file in self.product:
                self.texts[file] = read(f"{self.root}/{file}")
                if os.path.exists(self.kept("sites", file)):
                    files = files + [file]
        for file in files:
            self.texts[file] = read(f"{self.root}/{file}")
        unread = [f for f in files if not os.path.exists(self.kept("sites", f))]
        with concurrent.futures.ProcessPoolExecutor(self.jobs) as pool:
            found = pool.map(sites.find, [f"{self.root}/{f}" for f in unread], [self.arguments(f) for f in unread])
            for done, (file, of_file) in enumerate(zip(unread, found)):
                self.say(f"reading {file} ({done + 1} of {len(unread)})")
                write(self.kept("sites", file), pickle.dumps(of_file))
        for file in files:
            self.sites[file] = pickle.loads(read(self.kept("sites", file)))
            if rewrite.number(self.sites[file], self.base(file)) >= PER_FILE:
                raise BuildError(f"{file}: more than {PER_FILE} mutants")
            self.dropped[file] = self.known_drops(file)
        write(f"{self.at}/written", "\n".join(sorted(files)).encode())

    def kept(self, what, file):
        """The path of what is known of a file with this content."""
        return f"{self.at}/{what}/{file.replace('/', '+')}-{digest(self.texts[file], read(sites.__file__))[:12]}"

    def known_drops(self, file):
        path = self.kept("dropped", file)
        return {int(n) + self.base(file) for n in read(path).split()} if os.path.exists(path) else set()

    def instrument(self):
        """Writes the files with their mutants."""
        self.written = {}
        for file, found in self.sites.items():
            header = os.path.relpath("tests/mutation/mutation.hpp", os.path.dirname(file))
            head = b'#define NMIB_MUTATION_COUNT %d\n#include "%s"\n' % (self.count, header.encode())
            self.written[file] = rewrite.Rewritten(self.texts[file], found, self.dropped[file], head)
            write(f"{self.source}/{file}", self.written[file].result)

    def compile(self, targets):
        """Builds the targets. Mutants that the compiler refuses are dropped."""
        for _ in range(12):
            self.instrument()
            done = subprocess.run(["ninja", "-k", "0", "-j", str(self.jobs), "-C", self.build, *targets], stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True, check=False)
            if done.returncode == 0:
                return
            refused, lines = 0, done.stdout.splitlines()
            for line in lines:
                refused += self.drop(line)
            if not refused:
                raise BuildError("\n".join([x for x in lines if "error:" in x][:20] or lines[-30:]))
            self.say(f"{refused} mutants do not compile")
        raise BuildError("the compiler still refuses mutants after 12 rounds")

    def drop(self, line):
        """Drops the mutants that a message of the compiler is about. Returns how many."""
        found = ERROR.match(line)
        if not found or (found[4] == "note" and "instantiation" not in found[5]):
            return 0
        file = os.path.relpath(os.path.realpath(os.path.join(self.build, found[1])), os.path.realpath(self.source))
        if file not in self.written:
            return 0
        numbers = set(self.written[file].at(int(found[2]), int(found[3]))) - self.dropped[file]
        self.dropped[file] |= numbers
        write(self.kept("dropped", file), " ".join(str(n - self.base(file)) for n in sorted(self.dropped[file])).encode())
        return len(numbers)

    def mutants(self):
        for file, found in self.sites.items():
            for site in rewrite.flat(found):
                line = self.texts[file].count(b"\n", 0, site.start) + 1
                for arm in site.arms:
                    if arm.number not in self.dropped[file]:
                        yield Mutant(arm.number, file, line, *rewrite.words_of(self.texts[file], site, arm))

    def inputs(self, target):
        """The files of the source that a target is made from, without headers."""
        listed = subprocess.run(["ninja", "-C", self.build, "-t", "inputs", target], capture_output=True, text=True, check=True).stdout
        paths = (os.path.realpath(os.path.join(self.build, line)) for line in listed.splitlines())
        top = os.path.realpath(self.source) + "/"
        return {p[len(top):] for p in paths if p.startswith(top)}

    def state(self):
        """A hash of all that the programs are made from."""
        return digest(*(f"{f} {digest(read(f'{self.source}/{f}'))}" for f in self.files if not os.path.islink(f"{self.root}/{f}")))
