# SPDX-License-Identifier: LGPL-2.1-or-later
"""The command line of tests/lab/lab."""

import argparse
import os
import signal
import sys

from . import module
from . import root as own_root
from . import session, stage, tree, workshop
from .cache import Cache, root
from .common import LAB, RELEASES, LabError

HELP = """A Debian guest with a software InfiniBand fabric (softhca), to run scripts in. Each run is a fresh copy.

environment:
  NMIB_LAB_CACHE   where built guests are kept (/var/cache/nm-infiniband-lab)
  NMIB_LAB_ACCEL   kvm or tcg instead of trying what works
  NMIB_LAB_CPUS    processors of the guest (1: two guests side by side do more than one with two)
  NMIB_LAB_CLOCK   host, or instructions: the guest's clock counts instructions (for figures on a busy machine)
  NMIB_STAGE       what --stage says
  NMIB_KEPT        use: print the kept output of a run whose inputs passed before; renew: run, and keep the output (neither)

exit status of run: that of the script; 125 if it came to none; 2 for a wrong call; 1 if the lab itself fails."""


def parser():
    p = argparse.ArgumentParser(prog="lab", description=HELP, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = p.add_subparsers(dest="verb", required=True, metavar="VERB")

    def verb(name, text, releases=True):
        v = verbs.add_parser(name, help=text, description=text)
        if releases:
            v.add_argument("--release", choices=RELEASES, default="bookworm", help="Debian release of the guest")
        return v

    over = {"metavar": "DIR", "help": "a tree of other programs (etc, usr, var) that lies over the guest's"}
    def kinds(v, text):
        for kind, more in (("workshop", "a build from source needs"), ("packager", "making packages needs")):
            v.add_argument(f"--{kind}", dest="kind", action="store_const", const=kind, default="guest", help=f"{text} {more}")

    v = verb("build", "build what a run needs and is not there yet: guest, module, saved machine (needs root)")
    kinds(v, "instead a tree with what")
    for name, text in (("run", "run SCRIPT in the guest, with FILEs beside it"),
                       ("shell", "a shell in the guest, on this terminal; leave it with exit")):
        v = verb(name, text)
        v.add_argument("--cold", action="store_true", help="boot the guest instead of waking the saved one")
        v.add_argument("--stage", metavar="DIR", default=os.environ.get("NMIB_STAGE"),
                       help="tree made by meson install --destdir")
        v.add_argument("--over", **over)
        v.add_argument("--module", dest="modules", action="append", default=[], choices=sorted(module.OTHERS),
                       help="also a module that Debian's kernel lacks, built from the kernel's source, beside the script")
        v.add_argument("--with", dest="parts", metavar="PARTS", default="none",
                       help="parts of the stage to install in the guest: plugin,dispatcher,cli or none (the default)")
        if name == "run":
            v.add_argument("--limit", type=int, default=300, metavar="SECONDS", help="stop the script after this (300)")
            v.add_argument("--tap", action="store_true", help="the script prints TAP: make comments of all other lines")
            v.add_argument("--logs", metavar="DIR", help="keep the guest's logs there if the script fails")
            v.add_argument("--root", metavar="DIR", help="a tree that the verb root made, whatever became of it, instead of the guest's; implies --cold")
            v.add_argument("script", metavar="SCRIPT")
        v.add_argument("files", metavar="FILE", nargs="*")
    v = verb("tree", "run COMMAND among the guest's programs, on this machine's kernel (needs root)")
    kinds(v, "not the guest's programs but those that")
    v.add_argument("--over", **over)
    v.add_argument("--see", metavar="DIR", action="append", default=[], help="it can be seen in there, where it is here")
    v.add_argument("--give", metavar="DIR", action="append", default=[], help="it can be written to as well")
    v.add_argument("command", metavar="COMMAND", nargs=argparse.REMAINDER)
    v.add_argument("--scratch", action="store_true", help="it may write everywhere; what it wrote goes with it")
    v = verb("root", "copy the guest's tree to DIR, to be changed there and booted by run --root (needs root)")
    v.add_argument("directory", metavar="DIR")
    verb("status", "what is in the cache", releases=False)
    verb("clean", "empty the cache", releases=False)
    return p


def _files(args, scratch):
    """Returns (name, path) of the files beside the script: its own, lib.sh, and the files laid over the guest."""
    names = [(os.path.basename(f.rstrip("/")), f) for f in args.files]
    names.append(("lib.sh", f"{LAB}/lib.sh"))
    parts = stage.parse_parts(args.parts)
    with open(f"{scratch}/parts", "w") as f:
        f.write("+".join(p for p in stage.PARTS if p in parts) or "none")
    names.append(("parts", f"{scratch}/parts"))
    if parts and not args.stage:
        raise LabError(f"--with {args.parts} needs --stage DIR (a tree made by meson install --destdir)")
    if parts or args.over:
        stage.pack(f"{scratch}/stage.tar", args.stage, parts, args.over)
        names.append(("stage.tar", f"{scratch}/stage.tar"))
    for _, path in names:
        if not os.path.exists(path):
            raise LabError(f"{path}: no such file")
    return names


def _modules(bed, args):
    return [(f"{name}.ko", bed.other(name)) for name in args.modules]


def _run(args):
    if not os.path.isfile(args.script):
        raise LabError(f"{args.script}: no such script")
    with session.Scratch() as scratch:
        files = _files(args, scratch)
        bed = session.Bed(args.release, args.cold or bool(args.root), args.root)
        return session.run(bed, args.script, files + _modules(bed, args), args.limit, args.logs, tap=args.tap)


def _shell(args):
    if not sys.stdin.isatty():
        raise LabError("shell needs a terminal; use run SCRIPT")
    with session.Scratch() as scratch:
        files = _files(args, scratch)
        script = f"{scratch}/shell"
        with open(script, "w") as f:
            f.write(". ./lib.sh\nstty -F /dev/ttyS0 sane\nsetsid -c bash --rcfile lib.sh -i <>/dev/ttyS0 >&0 2>&0\n")
        print(f"guest {args.release}; the verbs of lib.sh are loaded (fabric, nm_start, ...); leave with exit\r")
        bed = session.Bed(args.release, args.cold)
        return session.run(bed, script, files + _modules(bed, args), 86400, serial="mon:stdio")


def _status():
    print(f"cache {root()}")
    for release in RELEASES:
        if os.path.isdir(os.path.join(root(), release)):
            for name, size in Cache(release).list():
                print(f"  {release:9} {name:28} {size:5} MiB")
    return 0


def main(arguments):
    def stop(number, _):
        raise SystemExit(128 + number)

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, stop)
    args = parser().parse_args(arguments)
    try:
        if args.verb == "build":
            if args.kind == "guest":
                session.Bed(args.release)
            else:
                kind = workshop.KINDS[args.kind]
                Cache(args.release).get(kind.name, kind.key(args.release), lambda d: kind.build(args.release, d))
            return 0
        if args.verb == "tree":
            return tree.run(args.release, args.kind, args.over, args.scratch, args.see, args.give, args.command[args.command[:1] == ["--"]:])
        if args.verb == "root":
            own_root.copy(Cache(args.release), args.release, args.directory)
            return 0
        if args.verb == "status":
            return _status()
        if args.verb == "clean":
            for release in RELEASES:
                if os.path.isdir(os.path.join(root(), release)):
                    Cache(release).clean()
            return 0
        return _run(args) if args.verb == "run" else _shell(args)
    except LabError as e:
        print(f"lab: {e}", file=sys.stderr)
        return 1
    except OSError as e:
        print(f"lab: {e.filename or 'system call'}: {e.strerror}", file=sys.stderr)
        return 1
