# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: --json of each command, before and after the other words: UTF-8 in every locale, with schema, host and version
# with: plugin+dispatcher+cli
# releases: bookworm (trixie)
. ./lib.sh
modprobe ib_umad
fabric
nm_start
must nm-ib connection add type infiniband con-name größe ifname ib0 transport-mode datagram ipv4.method disabled ipv6.method disabled
expect_up größe
guid=$(nm-ib -g PORT.GUID port show ib0)

# whole WORDS...: one object with schema, host and version, equal in two locales
whole() {
    local there here code=0 other=0 # not 0 for findings of doctor
    here=$(LC_ALL=C nm-ib "$@" --json) || code=$?
    there=$(LC_ALL=C.UTF-8 nm-ib --json "$@") || other=$?
    ((code < 126)) && is "exit status $other" "exit status $code" && [ -n "$here" ] && jq -e '.schema >= 1 and .host == "'"$(hostname)"'" and (.version | type) == "string"' <<<"$here" &&
        is "$here" "$there" && iconv -f UTF-8 -t UTF-8 <<<"$here" >/dev/null
}
for words in port 'port list' 'port show ib0' plan 'plan größe' name 'name list' 'name check' 'name set ib0 data0 --dry-run' 'name unset ib0 --dry-run' \
    'name propose --dry-run' 'name import --dry-run' host 'host memlock' 'host memlock @root unlimited --dry-run' 'host rails' doctor 'doctor ib0' 'check 192.0.2.77 --no-iperf'; do
    # shellcheck disable=SC2086
    check "nm-ib $words --json: one object with schema, host and version" whole $words
done
check "nm-ib port --json with LC_ALL=C: the profile's name is UTF-8" json_has '.ports[].interfaces[] | select(.profile == "größe")' env LC_ALL=C nm-ib port --json
check "nm-ib plan --json with LC_ALL=C: the profile's name is UTF-8" json_has '.interfaces[] | select(.profile == "größe")' env LC_ALL=C nm-ib plan --json
check "GUID of a port: spelled alike by port and name" eval "[[ $guid =~ ^([0-9a-f]{4}:){3}[0-9a-f]{4}\$ ]] && json_is $guid '.ports[0].guid' nm-ib port --json &&
    json_is $guid '.ports[0].guid' nm-ib name --json && nm-ib -t -e no -f GUID port >/run/guids && is \"\$(head -n1 /run/guids)\" $guid && prints $guid nm-ib name"
bus=$(nm-ib -g HCA.BUS_INFO port show ib0)
for word in ib0 mlx4_0/1 "$guid" "0x${guid//:/}" "$bus/1"; do
    check "port, doctor, plan, apply and name: accept $word" eval "nm-ib port show $word && nm-ib doctor $word && prints -E ^ib0 nm-ib plan $word && nm-ib apply $word &&
        nm-ib name set $word data0 --dry-run"
done
check "nm-ib apply, active profile: accepted" nm-ib apply größe
must nmcli connection down größe
check "nm-ib apply, profile that is not active: refused, exit 10" refused_with 10 "Error: profile 'größe' is not active on an InfiniBand interface" nm-ib apply größe
for words in 'port show' plan apply doctor; do
    # shellcheck disable=SC2086
    check "nm-ib $words with an unknown word: exit 10" refused_with 10 nothere9 nm-ib $words nothere9
done
