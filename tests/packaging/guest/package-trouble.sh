# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: dpkg killed in the middle, a full disk: InfiniBand works, configuration is kept, and the next try mends it
. ./lib.sh
. ./steps.sh
fabric_at_work
install "$first" >/run/steps/said 2>&1 || { cat /run/steps/said; exit 1; }
echo '# mine' >/etc/nm-infiniband/nm-ib.conf
expect_work

# A systemctl that does not come back, so that dpkg can be killed in a postinst.
mkdir /run/slow
printf '#!/bin/sh\ntouch /run/slow/called\nexec sleep 600\n' >/run/slow/systemctl
chmod 755 /run/slow/systemctl
killed() {
    rm -f /run/slow/called
    apt-get install -qy -o DPkg::Path=/run/slow:/usr/sbin:/usr/bin:/sbin:/bin "$next" &
    local apt=$!
    eventually test -e /run/slow/called || return
    pkill -KILL -x dpkg
    pkill -KILL -f '^sleep 600'
    ! wait $apt && not pgrep -x dpkg
}
step 'dpkg is killed in the postinst' killed
check "  half configured" is "$(state)" half-configured
check "  dpkg is not content" not audit
check "  the profile goes down and up" eval "down x && up x"
step 'dpkg --configure -a' dpkg --configure -a
expect_hint
check "  installed" is "$(state) $(version)" "installed $(dpkg-deb -f "$next" Version)"
check "  dpkg is content" audit
check "  configuration is kept" is "$(cat /etc/nm-infiniband/nm-ib.conf)" '# mine'
expect_work

# full KIB: all of the disk is taken, but for so much
full() {
    rm -f /var/lib/lab/filler
    dd if=/dev/zero of=/var/lib/lab/filler bs=64K 2>/dev/null
    truncate -s "-$1K" /var/lib/lab/filler
    sync
}
for left in 64 1024 2048; do
    full $left
    note "$left KiB are left on the disk"
    expected=100 step "upgrade with $left KiB left" install --reinstall "$next"
    check "  for want of room" grep -qi 'no space left\|enough free space' /run/steps/said
    note "$(state) $(version)"
    check "  the profile goes down and up" eval "down x && up x"
    expect_ping 192.0.2.2
    rm /var/lib/lab/filler
    step '  with room again: dpkg --configure -a' dpkg --configure -a
    step '  and the upgrade' install --reinstall "$next"
    check "  installed" is "$(state) $(version)" "installed $(dpkg-deb -f "$next" Version)"
    check "  dpkg is content" audit
    check "  every file is the package's" eval "is \"\$(dpkg --verify $package)\" ''"
    check "  configuration is kept" is "$(cat /etc/nm-infiniband/nm-ib.conf)" '# mine'
done
expect_work
expect_clean_kernel_log
