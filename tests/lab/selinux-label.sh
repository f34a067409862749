# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# tests/selinux runs it: an entry with a wrong label, which leaves the helper without its rights, is said and found.
. ./lib.sh
modprobe ib_umad
entry=/usr/lib/NetworkManager/dispatcher.d/10-nm-ib
fabric
nm_start
profile storage ifname ib0
expect_up storage
check "doctor has nothing to say" eventually doctor_healthy
label=$(stat -c %C $entry)
must chcon -t bin_t $entry
check "a wrong label is found" doctor_finds selinux-label 4
journal_mark
expect_up storage
expect_journal "nm-ib: ib0: cannot read the interface's type in sysfs, skipping; to check the SELinux label of .*10-nm-ib: nm-ib doctor"
check "a wrong label: the command mends it" eval "doctor_mend && is \"\$(stat -c %C $entry)\" \"$label\""
journal_mark
expect_up storage
# Not each policy has the denial logged.
check "with the right label only the kernel's log has it" eventually eval "doctor_finds selinux-denied 1 || doctor_healthy"
expect_no_journal "cannot read the interface's type"
