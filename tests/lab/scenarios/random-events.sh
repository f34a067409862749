# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: after random events in random order, every interface matches its profile
# with: plugin+dispatcher plugin
# releases: (bookworm) (trixie)
# files: random_events.py
. ./lib.sh
fabric name=mlx4_0,mlx4_1 rev=0xa0,0xb0 ports=1 active_mtu=4096 group_mtu=4096 pkeys=0xffff,0x8001,0x8002,0x8003
nm_start
for seed in 1 2; do
    check "random events, seed $seed: after each round every interface matches its profile" python3 random_events.py $seed 9
    nmcli -g UUID connection show | xargs nmcli connection delete >/dev/null
done
expect_nm_alive
expect_clean_kernel_log
