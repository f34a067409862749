# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: nm-ib host lists settings of others, too, refuses wrong arguments in one line, and changes nothing without root
# with: cli
# releases: bookworm trixie
. ./lib.sh
fabric sm=none
modprobe ib_umad
check "fresh machine: no setting is listed as set by nm-ib" eval "not grep -F yes <<<\"\$(nm-ib -g BY_NM_IB host)\""
echo '@staff - memlock 65536' >>/etc/security/limits.conf
mkdir -p /etc/systemd/system.conf.d /etc/nfs.conf.d /etc/systemd/system/x.service.d
printf '[Manager]\nDefaultLimitMEMLOCK=64M\n' >/etc/systemd/system.conf.d/mine.conf
printf '[Service]\nLimitMEMLOCK=infinity\n' >/etc/systemd/system/x.service.d/mine.conf
printf '[nfsd]\nrdma=y\n' >/etc/nfs.conf.d/mine.conf
printf 'ib_umad\nib_srp\n' >/etc/modules-load.d/mine.conf
echo lp >/etc/modules-load.d/printer.conf
echo 'net.ipv4.conf.ib0.arp_ignore = 1' >/etc/sysctl.d/mine.conf
echo 'guid 0x0002c903000a0001' >/etc/opensm/opensm.conf
echo 'net.ipv4.conf.all.arp_ignore = 8' >/etc/sysctl.conf
ln -sf ../sysctl.conf /etc/sysctl.d/99-sysctl.conf
host_mark
row() { check "host list: $1, not set by nm-ib" host_row SETTING,FILE,BY_NM_IB "$1:$2:no"; }
row "@staff 64M" /etc/security/limits.conf
row "*.service 64M" /etc/systemd/system.conf.d/mine.conf
row "x.service unlimited" /etc/systemd/system/x.service.d/mine.conf
row "rdma=y" /etc/nfs.conf.d/mine.conf
row "ib_umad ib_srp" /etc/modules-load.d/mine.conf
row "net.ipv4.conf.ib0.arp_ignore = 1" /etc/sysctl.d/mine.conf
row "net.ipv4.conf.all.arp_ignore = 8" /etc/sysctl.d/99-sysctl.conf
row "PORTS=ALL" /etc/default/opensm
row "guid 0x0002c903000a0001" /etc/opensm/opensm.conf
check "host list: no file without RDMA modules" eval "not grep -F printer.conf <<<\"\$(nm-ib -g FILE host)\""
check "host list: names the module that is not loaded" host_row FILE,IN_EFFECT "/etc/modules-load.d/mine.conf:not loaded: ib_srp"
check "host --json: the settings with all fields" eval "nm-ib host --json | python3 -c '
import json, sys
all = json.load(sys.stdin)
rows = {r[\"file\"]: r for r in all[\"settings\"]}
assert all[\"schema\"] == 1 and all[\"changed\"] is False
assert rows[\"/etc/nfs.conf.d/mine.conf\"] == {\"noun\": \"nfs-server\", \"setting\": \"rdma=y\", \"file\": \"/etc/nfs.conf.d/mine.conf\", \"by_nm_ib\": False, \"in_effect\": None, \"needs\": None, \"commands\": []}, rows'"
for words in nothing "list x" "list --now" "--dry-run" "modules --now" "opensm --x" "memlock @x" "modules --force"; do
    check "host $words: refused" host_refuses $words
done
chmod 755 . ; useradd alice
check "unprivileged user: host modules fails, exit 1" eval "runuser -u alice -- nm-ib host modules ib_srp; is \$? 1"
check "unprivileged user: host lists the settings" runuser -u alice -- nm-ib host
check "unprivileged user: --dry-run works" eval "runuser -u alice -- nm-ib host modules auto --dry-run | grep -x ib_umad"
# --- a file of nm-ib that the administrator edited belongs to the administrator
getent group rdma >/dev/null || groupadd --system rdma
edited() { # FILE WORDS
    local file=$1
    shift
    check "host $*: writes the setting" host_changes true "$@"
    echo '# mine' >>"$file"
    check "host $*, file edited: not written again" host_refuses "${@:1:$#-1}" "$2x"
    check "host $*, file edited: not removed, and --force is named" eval "! nm-ib host $1 ${3:+$2} unset 2>/run/err && grep -F 'changed by hand; --force overrides this and keeps a copy' /run/err"
    check "host $*, file edited: stays" grep -x '# mine' "$file"
    check "host $*, file edited: unset --force removes it" host_changes true "$1" ${3:+"$2"} unset --force
    check "host $*, file edited: unset --force keeps a copy" eval "grep -x '# mine' $file.before-nm-ib.bak && test ! -e $file"
    rm "$file.before-nm-ib.bak"
}
edited /etc/security/limits.d/90-nm-ib-group-rdma.conf memlock @rdma unlimited
edited /etc/systemd/system/dbus.service.d/90-nm-ib-memlock.conf memlock dbus.service unlimited
rmdir /etc/systemd/system/dbus.service.d
edited /etc/nfs.conf.d/90-nm-ib.conf nfs-server rdma
edited /etc/modules-load.d/90-nm-ib.conf modules auto
edited /etc/systemd/system/opensm.service.d/90-nm-ib.conf opensm 0x0002c903000a0001
rmdir /etc/systemd/system/opensm.service.d
rm -f /etc/{passwd,group,shadow,gshadow,subuid,subgid}-
check "host, all settings unset: no file of nm-ib is left" eval "not grep -rl 'Written by nm-ib host' /etc"
