# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: nm-ib host lists settings of others, too, refuses wrong arguments in one line, and changes nothing without root
# with: cli
# releases: bookworm trixie
. ./lib.sh
fabric sm=none
check "fresh machine: no setting is listed as set by nm-ib" prints_no yes nm-ib -g BY_NM_IB host
echo '@staff - memlock 65536' >>/etc/security/limits.conf
echo 'net.ipv4.conf.ib0.arp_ignore = 1' >/etc/sysctl.d/mine.conf
echo 'guid 0x0002c903000a0001' >/etc/opensm/opensm.conf
echo 'net.ipv4.conf.all.arp_ignore = 8' >/etc/sysctl.conf
ln -sf ../sysctl.conf /etc/sysctl.d/99-sysctl.conf
host_mark
row() { check "host list: $1, not set by nm-ib" host_row SETTING,FILE,BY_NM_IB "$1:$2:no"; }
row "@staff 64M" /etc/security/limits.conf
row "net.ipv4.conf.ib0.arp_ignore = 1" /etc/sysctl.d/mine.conf
row "net.ipv4.conf.all.arp_ignore = 8" /etc/sysctl.d/99-sysctl.conf
row "PORTS=ALL" /etc/default/opensm
row "guid 0x0002c903000a0001" /etc/opensm/opensm.conf
check "host --json: the settings with all fields" eval "nm-ib host --json >/run/host.json && python3 -c '
import json, sys
all = json.load(sys.stdin)
rows = {r[\"file\"]: r for r in all[\"settings\"]}
assert all[\"schema\"] == 1 and all[\"changed\"] is False
assert rows[\"/etc/sysctl.d/mine.conf\"] == {\"noun\": \"rails\", \"setting\": \"net.ipv4.conf.ib0.arp_ignore = 1\", \"file\": \"/etc/sysctl.d/mine.conf\", \"by_nm_ib\": False, \"in_effect\": None, \"needs\": None, \"commands\": []}, rows' </run/host.json"
while IFS='|' read -r words text; do
    check "host $words: refused" host_refuses "$text" $words
done <<'END'
nothing|unknown command 'nothing'
list x|Usage: nm-ib host [list]
list --now|unknown option '--now'
--dry-run|unknown option '--dry-run'
memlock --now|unknown option '--now'
opensm --x|unknown option '--x'
memlock @x|memlock takes @GROUP, and a size or unset
memlock --force|only with words that change a setting
END
chmod 755 . ; useradd alice
check "unprivileged user: host memlock fails, exit 1" ends 1 runuser -u alice -- nm-ib host memlock @root 64M
check "unprivileged user: host lists the settings" runuser -u alice -- nm-ib host
check "unprivileged user: --dry-run works" prints -x '@root - memlock 65536' runuser -u alice -- nm-ib host memlock @root 64M --dry-run
# --- a file of nm-ib that the administrator edited belongs to the administrator
getent group rdma >/dev/null || groupadd --system rdma
edited() { # FILE WORDS
    local file=$1
    shift
    check "host $*: writes the setting" host_changes true "$@"
    echo '# mine' >>"$file"
    check "host $*, file edited: not written again" refused_with 2 'changed by hand; --force overrides this and keeps a copy' nm-ib host "$@"
    check "host $*, file edited: not removed, and --force is named" refused_with 2 'changed by hand; --force overrides this and keeps a copy' nm-ib host "$1" ${3:+"$2"} unset
    check "host $*, file edited: stays" grep -x '# mine' "$file"
    check "host $*, file edited: unset --force removes it" host_changes true "$1" ${3:+"$2"} unset --force
    check "host $*, file edited: unset --force keeps a copy" eval "grep -x '# mine' $file.before-nm-ib.bak && test ! -e $file"
    rm "$file.before-nm-ib.bak"
}
edited /etc/security/limits.d/90-nm-ib-group-rdma.conf memlock @rdma unlimited
edited /etc/systemd/system/opensm.service.d/90-nm-ib.conf opensm 0x0002c903000a0001
rmdir /etc/systemd/system/opensm.service.d
rm -f /etc/{passwd,group,shadow,gshadow,subuid,subgid}-
check "host, all settings unset: no file of nm-ib is left" eval "not grep -rl 'Written by nm-ib host' /etc"
