# SPDX-License-Identifier: LGPL-2.1-or-later
"""Build the guest of a release: root/, the same as rootfs.ext4, vmlinuz, initrd, and build/, a tree with that release's
compiler and kernel headers, in which softhca.ko is made. All from Debian packages; needs root, as it makes a Debian tree."""

import os
import re
import shutil

from . import cache
from .apt import Apt
from .common import LAB, LabError, Step, run

GUEST = os.path.join(LAB, "guest")
# modules the initramfs loads, with what they depend on
INITRAMFS = ("virtio_pci", "virtio_blk", "ext4", "virtio_console")
# loaded by rdma-core with every InfiniBand device; storage protocols have no place here
UNWANTED = re.compile(r"^(ib_iser|ib_isert|ib_srpt|ib_srp|rpcrdma|svcrdma|xprtrdma|rds|nvme).*\n?", re.M)


def key(release):
    return cache.digest("guest", "labkit/guest.py", "labkit/apt.py", f"={release}")


def _lines(name):
    with open(os.path.join(GUEST, name)) as f:
        return [line.split() for line in f if line.strip() and not line.startswith("#")]


def build(release, directory):
    if os.geteuid() != 0:
        raise LabError("building the guest needs root (it makes a Debian tree): sudo tests/lab/lab build")
    d = directory
    root, apt_dir = f"{d}/root", f"{d}/apt"
    with Step(f"guest {release}: package lists"):
        os.mkdir(apt_dir)
        apt = Apt(release, apt_dir)
        version = apt.dependency("linux-image-amd64", "linux-image-[0-9].*").removeprefix("linux-image-")
    with Step(f"guest {release}: Debian tree"):
        apt.bootstrap([name for name, in _lines("packages")], root)
        shutil.copytree(f"{GUEST}/overlay", root, symlinks=True, dirs_exist_ok=True, copy_function=_replace)
        _units(root)
        for name in os.listdir(f"{root}/etc/rdma/modules"):
            _edit(f"{root}/etc/rdma/modules/{name}", lambda text: UNWANTED.sub("", text))
    with Step(f"guest {release}: kernel {version}"):
        os.mkdir(f"{d}/kernel")
        apt.unpack(f"linux-image-{version}", f"{d}/kernel")
        _kernel(d, root, version)
        _initramfs(d, root, version)
    with Step(f"guest {release}: build tree for the module"):
        headers = f"linux-headers-{version}"
        compiler = apt.dependency(headers, "gcc-[0-9]+|linux-compiler-gcc-.*")
        apt.bootstrap(["make", "libelf1", compiler], f"{d}/build")
        for package in (headers, apt.dependency(headers, "linux-headers-.*-common"),
                        apt.dependency(headers, "linux-kbuild-.*")):
            apt.unpack(package, f"{d}/build")
    with Step(f"guest {release}: disk image"):
        size = int(run(["du", "-sm", root]).split()[0])
        run(["mkfs.ext4", "-q", "-F", "-O", "^has_journal", "-E", "lazy_itable_init=1", "-d", root,
             f"{d}/rootfs.ext4", f"{size * 13 // 10 + 200}M"])
    for tree in (apt_dir, f"{d}/kernel", f"{d}/initramfs"):
        shutil.rmtree(tree)
    with open(f"{d}/version", "w") as f:
        f.write(version + "\n")


def _replace(source, target):
    """Copy over what is there, also where that is a symlink."""
    if os.path.lexists(target):
        os.unlink(target)
    return shutil.copy2(source, target, follow_symlinks=False)


def _edit(path, change):
    with open(path) as f:
        text = f.read()
    with open(path, "w") as f:
        f.write(change(text))


def _units(root):
    system = f"{root}/etc/systemd/system"
    for what, unit in _lines("disabled-units"):
        if what == "mask":
            os.symlink("/dev/null", f"{system}/{unit}")
            continue
        for wants in os.listdir(system):
            link = f"{system}/{wants}/{unit}"
            if wants.endswith(".wants") and os.path.lexists(link):
                os.unlink(link)
    # Nothing here comes from fstab or the kernel's command line, and all of them run at every daemon-reload.
    os.makedirs(f"{root}/etc/systemd/system-generators", exist_ok=True)
    for generator in os.listdir(f"{root}/lib/systemd/system-generators"):
        os.symlink("/dev/null", f"{root}/etc/systemd/system-generators/{generator}")
    # The first exits 1 on "down" and would hide what our dispatcher does, the other costs time at each event.
    for other in ("01-ifupdown", "cloud-init-hook-network-manager"):
        path = f"{root}/etc/NetworkManager/dispatcher.d/{other}"
        if os.path.exists(path):
            os.unlink(path)


def _kernel(d, root, version):
    shutil.copy(f"{d}/kernel/boot/vmlinuz-{version}", f"{d}/vmlinuz")
    shutil.copy(f"{d}/kernel/boot/config-{version}", f"{root}/boot")  # update-initramfs looks into it
    source = next(p for p in (f"{d}/kernel/usr/lib/modules/{version}", f"{d}/kernel/lib/modules/{version}")
                  if os.path.isdir(p))
    target = f"{root}/lib/modules/{version}"
    for part, in _lines("kernel-modules"):
        if not os.path.exists(f"{source}/kernel/{part}") and os.path.exists(f"{source}/kernel/{part}.xz"):
            part += ".xz"
        if os.path.exists(f"{source}/kernel/{part}"):
            os.makedirs(os.path.dirname(f"{target}/kernel/{part}"), exist_ok=True)
            run(["cp", "-a", f"{source}/kernel/{part}", f"{target}/kernel/{part}"])
    for name in ("modules.order", "modules.builtin", "modules.builtin.modinfo"):
        shutil.copy(f"{source}/{name}", target)
    run(["find", target, "-name", "*.ko.xz", "-exec", "unxz", "{}", "+"])
    run(["chroot", root, "depmod", version])


def _initramfs(d, root, version):
    tree = f"{d}/initramfs"
    for part in ("bin", "modules", "proc", "sys", "dev", "newroot"):
        os.makedirs(f"{tree}/{part}")
    shutil.copy("/bin/busybox", f"{tree}/bin/busybox")
    shutil.copy2(f"{GUEST}/initramfs/init", f"{tree}/init")
    names = []
    for module in INITRAMFS:
        text = run(["chroot", root, "modprobe", "-S", version, "--show-depends", module])
        for path in re.findall(r"^insmod (\S+)", text, re.M):
            name = os.path.basename(path)
            if name not in names:
                names.append(name)
                shutil.copy(root + path, f"{tree}/modules/{name}")
    with open(f"{tree}/modules/list", "w") as f:
        f.writelines(f"{name}\n" for name in names)
    run(["sh", "-c", "find . | LC_ALL=C sort | cpio -o -H newc --quiet >../initrd"], cwd=tree)
