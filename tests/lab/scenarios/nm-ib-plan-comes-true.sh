# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: random profiles come up, or do not, as plan forecast, and a second plan has no change
# with: plugin+dispatcher+cli dispatcher+cli
# releases: bookworm (trixie)
# files: random_profiles.py
. ./lib.sh
fabric name=mlx4_0,mlx5_0,mlx4_1 devid=0x634a,0x1013,0x634a driver=mlx4_core,mlx5_core,mlx4_core rev=0xa0,0,0xb0 enhanced=0,1,0 ports=1 \
    active_mtu=4096,4096,2048 group_mtu=2048
nm_start
check "random profiles, seed 1: the forecast of plan is right" python3 random_profiles.py 1 4
expect_nm_alive
expect_clean_kernel_log
