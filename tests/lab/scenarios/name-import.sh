# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: names that depend on an address, in every form that guides print, are imported and then hold with another QPN
# with: cli
# releases: bookworm (trixie)
. ./lib.sh
HCAS="name=mlx4_0,mlx4_1"
NETWORK=/etc/systemd/network RULES=/etc/udev/rules.d
reload() { # QPN: load the module again, with this queue pair number in the first address
    fabric_unload
    must udevadm control --reload
    # shellcheck disable=SC2086 # words
    fabric $HCAS qpn_base="$1"
}
import() { nm-ib name import --no-initramfs "$@"; }
listed() {
    local text
    text=$(nm-ib name import --no-initramfs) || return
    grep -c '^rule\|^link' <<<"$text"
}
last8() { cut -d: -f13- "$NET/$1/address"; }
# shellcheck disable=SC2086 # words
fabric $HCAS qpn_base=0x100
nm_start
check "import without such names: reports that there is nothing to import" prints 'no name is tied to a hardware address' import

# the forms of such names
mkdir -p $NETWORK $RULES
printf '[Match]\nMACAddress=%s\n[Link]\nName=first\n' "$(cat $NET/ib0/address)" >$NETWORK/10-first.link
RULE='ACTION=="add", SUBSYSTEM=="net", DRIVERS=="?*", ATTR{type}=="32", ATTR{address}=="?*%s", NAME="%s"\n'
{
    echo 'KERNEL=="null", TAG+="kept"'
    # shellcheck disable=SC2059 # the format of a rule
    printf "$RULE" "$(last8 ib1)" second
    # shellcheck disable=SC2059
    printf "$RULE" 00:02:c9:03:00:ff:00:01 absent
} >$RULES/70-persistent-ipoib.rules
printf '[Match]\nMACAddress=80:00:77:77:fe:80:00:00:00:00:00:00:%s\n[Link]\nName=fourth\n' "$(last8 ib3)" >$NETWORK/11-fourth.link
profile by-address ifname '*' infiniband.mac-address "$(cat $NET/ib0/address)"

reload 0x100
expect_link first
expect_link second
reload 0x200
expect_link second
check ".link file with an address: does not match with another QPN" test ! -e $NET/first
reload 0x100
expect_link first
cp -r $NETWORK $RULES /run/

# what import would do
check "import: lists the .link file" prints -E '^link-file +/etc/systemd/network/10-first.link .* first +/etc/systemd/network/70-nm-infiniband-first.link' import
check "import: lists a .link file with a QPN that no port has" prints -E '11-fourth.link .*70-nm-infiniband-fourth.link' import
check "import: lists the rule with its line number" prints -E '^rule +/etc/udev/rules.d/70-persistent-ipoib.rules:2 .* second ' import
check "import: leaves a rule for a GUID of another machine, with the reason" prints -E 'rules:3 .*skipped: .*0002:c903:00ff:0001' import
check "import without --yes: names the command with --yes" prints -2 -x '  nm-ib name import --yes' import
check "import without --yes: writes nothing" eval "diff -r /run/network $NETWORK && diff -r /run/rules.d $RULES"
check "import --yes --dry-run: changed is true, and nothing is written" eval "json_is true .changed import --yes --dry-run --json && diff -r /run/network $NETWORK"

# what import does
check "import --yes: succeeds" import --yes
check "import --yes: the rule becomes a comment, other lines stay" prints_only 2 grep -vc '^#' $RULES/70-persistent-ipoib.rules
check "import --yes: the copies have the previous contents" eval "cmp /run/rules.d/70-persistent-ipoib.rules $RULES/70-persistent-ipoib.rules.before-nm-ib.bak &&
    cmp /run/network/10-first.link $NETWORK/10-first.link.before-nm-ib.bak"
check "import --yes: the .link files are removed" eval "no_file $NETWORK/10-first.link && no_file $NETWORK/11-fourth.link"
check "import --yes: a profile with a mac-address is unchanged" is "$(nmcli -g connection.interface-name connection show by-address)" ""
reload 0x300
for name in first second fourth; do expect_link $name; done
expect_up by-address
check "import --yes, second run: changes nothing" json_is false .changed import --yes --json
check "import, second run: lists only the rule that was left" prints_only 1 listed
check "name check: all names hold" nm-ib name check
