# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# tests/selinux runs it with Debian's policy, which lets no dispatcher script into configfs: the helper's line names SELinux.
. ./lib.sh
modprobe rdma_ucm
roce_fabric
nm_start
ethernet e0 eth0 10.9.0.1/24 rdma.roce-mode v1
journal_mark
expect_up e0
expect_journal_once 'nm-ib: .*Permission denied.* \(SELinux enforces its policy; to check the labels: nm-ib doctor\)'
check "SELinux enforces" grep -qx 1 /sys/fs/selinux/enforce
expect_nm_alive
