#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# install.sh BUILD OBJECTDIR NM-LIBDIR NM-BINARY LIBEXECDIR CONFDIR DISPATCHERDIR STAGE MANDIR UDEVDIR: installs this build as
# an administrator does, lets two versions of NetworkManager start, uninstalls, and compares the machine with what it was. All of
# it in a mount namespace of its own, on overlays: the machine and the build directory stay as they are. TAP.
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

# A daemon that knows its version and nothing else.
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

check 'meson install' quietly meson install -C "$build" --no-rebuild
check 'only root may write what the daemon loads' [ "$(stat -Lc '%U %a' "$object")" = 'root 644' ]
check 'the dispatcher entry leaves what is no InfiniBand alone' quietly "$entry" lo up
check '... and is no link, or SELinux would keep the helper in the dispatcher'\''s domain' test ! -L "$entry"
check '... and starts the helper otherwise' eval '"$entry" --version | grep -q "^nm-ib-dispatcher "'
check 'the symlink for the version there is was put' links_to "$nm_libdir/7.0.1/${object##*/}" "$object"
nm_version 7.1.0
check 'after an upgrade of NetworkManager it puts another' quietly "$libexec/nm-ib-loader"
check '... for the new version' links_to "$nm_libdir/7.1.0/${object##*/}" "$object"
check '... and not for the old one' test ! -e "$nm_libdir/7.0.1"
ro() { unshare -m sh -c "mount --bind '$nm_libdir' '$nm_libdir' && mount -o remount,bind,ro '$nm_libdir' && exec '$libexec/nm-ib-loader'" >"$scratch/log" 2>&1; }
check 'with a read-only /usr the symlink of the build is enough' ro
nm_version 7.2.0
check '... without one the loader fails' not ro
check '... and says what to do' grep -qx "nm-ib-loader: $nm_libdir/7.2.0: not made, the file system is read-only; in the image's build, after NetworkManager is installed: $libexec/nm-ib-loader" "$scratch/log"
nm_version 7.1.0
mkdir -p "$nm_libdir/7.0.1" && printf '7\ndatagram 2044 1\n' >/run/NetworkManager/nm-infiniband/mtu-ib0

hook=/usr/share/initramfs-tools/hooks/nm-infiniband
check 'the initramfs hook asks for no other first' [ "$($hook prereqs)" = '' ]
in_dracut() ( install_optional_items='' && . /usr/lib/dracut/dracut.conf.d/70-nm-infiniband.conf && [[ $install_optional_items == *" $rule "* ]] )
check 'dracut is told of the udev rule' in_dracut

ln -s "$entry" "$pre_up/10-nm-ib"
check 'a stage is made of the same build' quietly "$stage" "$build" "$scratch/stage"

check 'meson compile uninstall-all' quietly meson compile -C "$build" uninstall-all
check 'the machine is as it was before' untouched
check 'what is not installed cannot be removed' not quietly meson compile -C "$build" uninstall-all
check '... and that is said' grep -q 'nothing removed' "$scratch/log"

ln -s "$entry" "$pre_up/10-nm-ib"
mkdir -p "$libexec"
touch "$libexec/nm-ib-link" "$old_page"
check 'an installation without pre_up over an old one with it' quietly meson install -C "$build" --no-rebuild
check '... takes its link away' test ! -L "$pre_up/10-nm-ib"
check '... and the loader under its old name' test ! -e "$libexec/nm-ib-link"
check '... with its manual page' test ! -e "$old_page"
ln -s elsewhere "$pre_up/10-nm-ib"
check 'a link of somebody else' quietly meson compile -C "$build" uninstall-all
check '... is left alone' links_to "$pre_up/10-nm-ib" elsewhere
rm "$pre_up/10-nm-ib"
check '... and the machine is as it was before' untouched

mkdir "$conf"
echo '# mine' >"$conf/nm-ib.conf"
check 'over a configuration of the administrator, meson install' quietly meson install -C "$build" --no-rebuild
echo '# mine' >"$conf/quirks.d/50-mine.conf"
check '... and uninstall-all' quietly meson compile -C "$build" uninstall-all
check '... leave it as it was' [ "$(cat "$conf/nm-ib.conf" "$conf/quirks.d/50-mine.conf")" = $'# mine\n# mine' ]
rm -r "$conf"
check '... and nothing else' untouched
echo "1..$n"
