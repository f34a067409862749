# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: the plugin with the address and undefined-behaviour sanitizers: no report in activations, flaps, reapply, restart
# with: plugin
# files: sanitizer
# alone: nothing to check; only a build with clang and the sanitizers has this scenario
. ./lib.sh
fabric
mkdir -p /run/systemd/system/NetworkManager.service.d
cat >/run/systemd/system/NetworkManager.service.d/sanitizer.conf <<END
[Service]
Environment=LD_PRELOAD=$(echo "$JOB"/libclang_rt.asan-*.so):$JOB/libstdc++.so.6
Environment=ASAN_OPTIONS=log_path=/run/sanitizer:verify_asan_link_order=0 UBSAN_OPTIONS=log_path=/run/sanitizer:print_stacktrace=1
END
must systemctl daemon-reload
nm_start
check "daemon: has the plugin and the sanitizers" eval 'maps=/proc/$(systemctl show -P MainPID NetworkManager)/maps; grep -q libnm-device-plugin-infiniband $maps && grep -q libclang_rt.asan $maps'
profile p ifname ib0 transport-mode connected mtu 65520
profile d ifname ib0 transport-mode datagram mtu 4092
child c ib0 0x8002 transport-mode datagram
child l ib0 0x0003 transport-mode datagram
expect_up p
expect_mode ib0 connected
expect_mtu ib0 65520
expect_up c
expect_tso ib0.8002 off
port_state mlx4_0 1 init
expect_carrier ib0 0
port_state mlx4_0 1 active
expect_carrier ib0 1
expect_up d
expect_mtu ib0 2044
modify d infiniband.mtu 2000
check "datagram profile: reapply succeeds" nmcli device reapply ib0
expect_mtu ib0 2000
expect_up l
expect_down l
expect_no_link ib0.0003
expect_nm_alive
nm_restart
expect_state ib0.8002 connected
expect_down c
expect_no_link ib0.8002
expect_down d
expect_nm_alive
nm_stop
check "sanitizers: no report" eval '! grep -sh . /run/sanitizer*'
