# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: nm-ib host lists what others have set too, refuses bad words in one line, and only root changes anything
# with: cli
# releases: bookworm trixie
. ./lib.sh
fabric sm=none
modprobe ib_umad
check "an empty machine: the distribution's own only" eval "not grep -F yes <<<\"\$(nm-ib -g BY-NM-IB host)\""
echo '@staff - memlock 65536' >>/etc/security/limits.conf
mkdir -p /etc/systemd/system.conf.d /etc/nfs.conf.d /etc/systemd/system/x.service.d
printf '[Manager]\nDefaultLimitMEMLOCK=64M\n' >/etc/systemd/system.conf.d/mine.conf
printf '[Service]\nLimitMEMLOCK=infinity\n' >/etc/systemd/system/x.service.d/mine.conf
printf '[nfsd]\nrdma=y\n' >/etc/nfs.conf.d/mine.conf
printf 'ib_umad\nib_srp\n' >/etc/modules-load.d/mine.conf
echo lp >/etc/modules-load.d/printer.conf
echo 'guid 0x0002c903000a0001' >/etc/opensm/opensm.conf
printf 'A=0x8005, ipoib : ALL=full;\n' >/etc/opensm/partitions.conf
host_mark
row() { check "the list: $1" host_row SETTING,FILE,BY-NM-IB "$1:$2:no"; }
row "@staff 64M" /etc/security/limits.conf
row "*.service 64M" /etc/systemd/system.conf.d/mine.conf
row "x.service unlimited" /etc/systemd/system/x.service.d/mine.conf
row "rdma=y" /etc/nfs.conf.d/mine.conf
row "ib_umad ib_srp" /etc/modules-load.d/mine.conf
row "PORTS=ALL" /etc/default/opensm
row "guid 0x0002c903000a0001" /etc/opensm/opensm.conf
row "partitions 0x8005" /etc/opensm/partitions.conf
check "  modules of no concern are not told" eval "not grep -F printer.conf <<<\"\$(nm-ib -g FILE host)\""
check "  of a module what is not loaded" host_row FILE,IN-EFFECT "/etc/modules-load.d/mine.conf:not loaded: ib_srp"
check "  for machines" eval "nm-ib host --json | python3 -c '
import json, sys
all = json.load(sys.stdin)
rows = {r[\"file\"]: r for r in all[\"settings\"]}
assert all[\"schema\"] == 1 and all[\"changed\"] is False
assert rows[\"/etc/nfs.conf.d/mine.conf\"] == {\"noun\": \"nfs-server\", \"setting\": \"rdma=y\", \"file\": \"/etc/nfs.conf.d/mine.conf\", \"by_nm_ib\": False, \"in_effect\": None, \"needs\": None}, rows'"
for words in nothing "list x" "list --now" "--dry-run" "modules --now" "opensm --x" "memlock"; do
    check "refused: host $words" host_refuses $words
done
chmod 755 . ; useradd alice
check "who is not root changes nothing" eval "runuser -u alice -- nm-ib host modules ib_srp; is \$? 1"
check "  and may look" runuser -u alice -- nm-ib host
check "  and ask what would be" eval "runuser -u alice -- nm-ib host modules --dry-run | grep -x ib_umad"
rm -f /etc/{passwd,group,shadow,gshadow,subuid,subgid}-
check "  no file of ours" eval "not grep -rl 'Written by nm-ib host' /etc"
