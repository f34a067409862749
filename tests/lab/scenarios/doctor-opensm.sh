# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: the command that doctor names for a port without a subnet manager starts opensm, and keeps the one of another port
# with: plugin+dispatcher+cli
# releases: bookworm (trixie)
. ./lib.sh
modprobe ib_umad
fabric sm=none name=mlx4_0,mlx4_1 ports=2,1
printf 'sminfo_polling_timeout 1000\npolling_retry_number 2\n' >/etc/opensm/opensm.conf
nm_start
profile storage ifname ib0 connection.autoconnect yes
find_one() { nm-ib doctor "$1" --json >/run/found || is "$(jq -r '.findings[0].id' /run/found)" no-subnet-manager; }

check "a port without a subnet manager" eventually find_one mlx4_0/1
check "a port without a subnet manager: a command with its GUID" eval "jq -r '.findings[0].commands[0] | join(\" \")' /run/found | grep -x 'nm-ib host opensm 0002:c903:000a:0001'"
check "a port without a subnet manager: the text has each command on its line, in 80 columns" eval "
    nm-ib doctor mlx4_0/1 >/run/text; grep -Ex ' +systemctl start opensm' /run/text && not grep -E '.{81}' /run/text"
check "a port without a subnet manager: the commands mend it" eval "doctor_mend && eventually doctor_content mlx4_0/1"
pkill -x opensm
check "the only subnet manager is killed" eventually doctor_finds subnet-manager-lost 1
