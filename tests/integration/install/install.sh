#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# install.sh BUILD OBJECTDIR NM-LIBDIR NM-BINARY LIBEXECDIR CONFDIR DISPATCHERDIR STAGE MANDIR UDEVDIR: installs this build as
# an administrator does, starts two versions of NetworkManager, uninstalls, and compares the machine with its previous state.
# Runs in its own mount namespace, on overlays: the machine and the build directory are unchanged. Prints TAP.
set -euo pipefail
if [ "${NMIB_PRIVATE:-}" = '' ]; then
    [ "$(id -u)" = 0 ] || { echo '1..0 # SKIP needs root, for a mount namespace' && exit 0; }
    NMIB_PRIVATE=yes exec unshare --mount --propagation private "$0" "$@"
fi
build=$1 object=$2/libnm-device-plugin-infiniband.so nm_libdir=$3 nm=$4 libexec=$5 conf=$6 entry=$7/10-nm-ib pre_up=$7/pre-up.d stage=$8 old_page=$9/man8/nm-ib-link.8
rule=${10}/rules.d/70-nm-infiniband.rules

scratch=$(mktemp -d)
trap 'umount -l "$scratch"; rmdir "$scratch"' EXIT
mount -t tmpfs tmpfs "$scratch"
overlay() {
    mkdir -p "$scratch/$2/upper" "$scratch/$2/work"
    mount -t overlay overlay -o "lowerdir=$1,upperdir=$scratch/$2/upper,workdir=$scratch/$2/work" "$1"
}
overlay /usr usr
overlay /etc etc
overlay "$build" build
mkdir "$scratch/run"
mount --bind "$scratch/run" /run
cd /

# A daemon that only prints its version.
nm_version() { rm -f "$nm" && printf '#!/bin/sh\necho %s\n' "$1" >"$nm" && chmod 755 "$nm"; }
everything() { find /usr /etc /run -path "$nm" -prune -o -printf '%p %y %m %U %l\n' | sort; }
quietly() { "$@" >"$scratch/log" 2>&1 || { sed 's/^/# /' "$scratch/log" && return 1; }; }

n=0
check() {
    local words=$1 mark=ok
    shift
    "$@" || mark='not ok'
    n=$((n + 1))
    echo "$mark $n - $words"
}
not() { ! "$@"; }
links_to() { [ "$(readlink "$1")" = "$2" ]; }
untouched() { everything >"$scratch/after" && diff "$scratch/before" "$scratch/after" | sed 's/^/# /' && cmp -s "$scratch/before" "$scratch/after"; }

mkdir -p "$nm_libdir/7.0.1" "$pre_up" "${old_page%/*}" /run/NetworkManager /run/mount
nm_version 7.0.1
everything >"$scratch/before"

check 'meson install: succeeds' quietly meson install -C "$build" --no-rebuild
check 'installed plugin: only root may write it' [ "$(stat -Lc '%U %a' "$object")" = 'root 644' ]
check 'dispatcher entry, interface lo: ignored' quietly "$entry" lo up
check 'dispatcher entry: no symlink, since SELinux would keep the helper in the dispatcher'\''s domain' test ! -L "$entry"
check 'dispatcher entry, option --version: starts the helper' eval '"$entry" --version | grep -q "^nm-ib-dispatcher "'
check 'installed version of NetworkManager: has the symlink' links_to "$nm_libdir/7.0.1/${object##*/}" "$object"
nm_version 7.1.0
check 'nm-ib-loader after an upgrade of NetworkManager: succeeds' quietly "$libexec/nm-ib-loader"
check 'nm-ib-loader after an upgrade of NetworkManager: makes a symlink for the new version' links_to "$nm_libdir/7.1.0/${object##*/}" "$object"
check 'nm-ib-loader after an upgrade of NetworkManager: removes the directory of the old version' test ! -e "$nm_libdir/7.0.1"
ro() { unshare -m sh -c "mount --bind '$nm_libdir' '$nm_libdir' && mount -o remount,bind,ro '$nm_libdir' && exec '$libexec/nm-ib-loader'" >"$scratch/log" 2>&1; }
check 'nm-ib-loader, read-only /usr with the symlink: succeeds' ro
nm_version 7.2.0
check 'nm-ib-loader, read-only /usr without the symlink: fails' not ro
check 'nm-ib-loader, read-only /usr without the symlink: names the command for the image build' grep -qx "nm-ib-loader: $nm_libdir/7.2.0: not made: the file system is read-only; in the build of the image, once NetworkManager is installed, run: $libexec/nm-ib-loader" "$scratch/log"
nm_version 7.1.0
mkdir -p "$nm_libdir/7.0.1" /run/NetworkManager/nm-infiniband && printf '7\ndatagram 2044 1\n' >/run/NetworkManager/nm-infiniband/mtu-ib0

hook=/usr/share/initramfs-tools/hooks/nm-infiniband
check 'initramfs hook: has no prerequisites' [ "$($hook prereqs)" = '' ]
in_dracut() ( install_optional_items='' && . /usr/lib/dracut/dracut.conf.d/70-nm-infiniband.conf && [[ $install_optional_items == *" $rule "* ]] )
check 'dracut: installs the udev rule' in_dracut

ln -s "$entry" "$pre_up/10-nm-ib"
check 'lab stage of the same build: can be made' quietly "$stage" "$build" "$scratch/stage"

check 'uninstall-all: succeeds' quietly meson compile -C "$build" uninstall-all
check 'uninstall-all: the machine is as before' untouched
check 'uninstall-all, nothing installed: fails' not quietly meson compile -C "$build" uninstall-all
check 'uninstall-all, nothing installed: says that nothing was removed' grep -q 'nothing removed' "$scratch/log"

ln -s "$entry" "$pre_up/10-nm-ib"
mkdir -p "$libexec"
touch "$libexec/nm-ib-link" "$old_page"
check 'meson install over a former version with pre-up.d: succeeds' quietly meson install -C "$build" --no-rebuild
check 'meson install over a former version: removes its symlink in pre-up.d' test ! -L "$pre_up/10-nm-ib"
check 'meson install over a former version: removes the loader with the old name' test ! -e "$libexec/nm-ib-link"
check 'meson install over a former version: removes the old manual page' test ! -e "$old_page"
ln -s elsewhere "$pre_up/10-nm-ib"
check 'uninstall-all, foreign symlink in pre-up.d: succeeds' quietly meson compile -C "$build" uninstall-all
check 'uninstall-all, foreign symlink in pre-up.d: stays' links_to "$pre_up/10-nm-ib" elsewhere
rm "$pre_up/10-nm-ib"
check 'uninstall-all, foreign symlink removed: the machine is as before' untouched

mkdir "$conf"
echo '# mine' >"$conf/nm-ib.conf"
check 'meson install, configuration of the administrator: succeeds' quietly meson install -C "$build" --no-rebuild
echo '# mine' >"$conf/quirks.d/50-mine.conf"
check 'uninstall-all, configuration of the administrator: succeeds' quietly meson compile -C "$build" uninstall-all
check 'uninstall-all, configuration of the administrator: unchanged' [ "$(cat "$conf/nm-ib.conf" "$conf/quirks.d/50-mine.conf")" = $'# mine\n# mine' ]
rm -r "$conf"
check 'uninstall-all, configuration removed: the machine is as before' untouched
echo "1..$n"
