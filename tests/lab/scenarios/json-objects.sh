# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: --json of each command: UTF-8 in every locale, with schema, host and version, before and behind the words
# with: plugin+dispatcher+cli
# releases: bookworm (trixie)
. ./lib.sh
modprobe ib_umad
fabric
nm_start
must nm-ib connection add type infiniband con-name größe ifname ib0 transport-mode datagram ipv4.method disabled ipv6.method disabled
expect_up größe
guid=$(nm-ib -g PORT.GUID port show ib0)

# whole WORDS...: one object with what each has, the same in two locales; some times are different
whole() {
    local there here
    here=$(LC_ALL=C nm-ib "$@" --json)
    there=$(LC_ALL=C.UTF-8 nm-ib --json "$@")
    [ -n "$here" ] && jq -e '.schema >= 1 and .host == "'"$(hostname)"'" and (.version | type) == "string"' <<<"$here" &&
        is "$here" "$there" && iconv -f UTF-8 -t UTF-8 <<<"$here" >/dev/null
}
for words in port 'port list' 'port show ib0' plan 'plan größe' name 'name list' 'name check' 'name set ib0 data0 --dry-run' 'name unset ib0 --dry-run' \
    'name propose --dry-run' 'name import --dry-run' host 'host modules' 'host modules auto --dry-run' doctor 'doctor ib0' 'check 192.0.2.77 --no-iperf'; do
    # shellcheck disable=SC2086
    check "$words --json" whole $words
done
check "the profile's name is UTF-8 with LC_ALL=C" eval "LC_ALL=C nm-ib port --json | jq -e '.ports[].interfaces[] | select(.profile == \"größe\")'"
check "  in plan, too" eval "LC_ALL=C nm-ib plan --json | jq -e '.interfaces[] | select(.profile == \"größe\")'"
check "a GUID has one spelling" eval "[[ $guid =~ ^([0-9a-f]{4}:){3}[0-9a-f]{4}\$ ]] && is $guid \"\$(nm-ib port --json | jq -r '.ports[0].guid')\" &&
    is $guid \"\$(nm-ib name --json | jq -r '.ports[0].guid')\" && is $guid \"\$(nm-ib -t -e no -f GUID port | head -n1)\" && nm-ib name | grep -F $guid"
bus=$(nm-ib -g HCA.BUS_INFO port show ib0)
for word in ib0 mlx4_0/1 "$guid" "0x${guid//:/}" "$bus/1"; do
    check "port, doctor, plan, apply and name take $word" eval "nm-ib port show $word && nm-ib doctor $word && nm-ib plan $word | grep ^ib0 && nm-ib apply $word &&
        nm-ib name set $word data0 --dry-run"
done
check "apply takes the profile that is active" nm-ib apply größe
must nmcli connection down größe
check "apply refuses a profile that is not active" eval "nm-ib apply größe 2>/run/err; is \"\$? \$(cat /run/err)\" \"10 Error: profile 'größe' is active on no InfiniBand interface\""
check "a word that names nothing: exit 10" eval "for c in 'port show' plan apply doctor; do nm-ib \$c nothere9 2>/dev/null; is \$? 10 || exit; done"
