# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: names that hang on an address, in every form that guides print, are imported and then hold with another QPN
# with: cli
# releases: bookworm trixie
. ./lib.sh
HCAS="name=mlx4_0,mlx4_1"
NETWORK=/etc/systemd/network RULES=/etc/udev/rules.d
reload() { # QPN: the module again, with that queue pair number in the first address
    fabric_unload
    must udevadm control --reload
    # shellcheck disable=SC2086 # words
    fabric $HCAS qpn_base="$1"
}
import() { nm-ib name import --no-initramfs "$@"; }
says() { eval "$2" | grep -E -- "$1"; }
last8() { cut -d: -f13- "$NET/$1/address"; }
# shellcheck disable=SC2086 # words
fabric $HCAS qpn_base=0x100
nm_start
check "nothing is found on a machine without such names" says 'No name hangs on the address' import

# the forms
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
check "the .link file has lost its port with the QPN" test ! -e $NET/first
reload 0x100
expect_link first
cp -r $NETWORK $RULES /run/

# what it would do
check "the .link file is found" says '^link-file +/etc/systemd/network/10-first.link .* first +/etc/systemd/network/70-nm-infiniband-first.link' import
check "also one whose QPN is gone for long" says '11-fourth.link .*70-nm-infiniband-fourth.link' import
check "the rule is found, with its line" says '^rule +/etc/udev/rules.d/70-persistent-ipoib.rules:2 .* second ' import
check "what is not for this machine stays, with the reason" says 'rules:3 .*left as it is: .*0002:c903:00ff:0001' import
check "without --yes it says so" says 'To import .*: nm-ib name import --yes$' 'import 2>&1'
check "and writes nothing" eval "diff -r /run/network $NETWORK && diff -r /run/rules.d $RULES"
check "nor with --dry-run" eval "import --yes --dry-run --json | grep -F '\"changed\":false' && diff -r /run/network $NETWORK"

# it does it
check "it is done" import --yes
check "the rule is a comment, what is not ours is not touched" eval "is \"\$(grep -vc '^#' $RULES/70-persistent-ipoib.rules)\" 2"
check "the copies are what was there" eval "cmp /run/rules.d/70-persistent-ipoib.rules $RULES/70-persistent-ipoib.rules.before-nm-ib.bak &&
    cmp /run/network/10-first.link $NETWORK/10-first.link.before-nm-ib.bak"
check "the .link files are away" not ls $NETWORK/10-first.link $NETWORK/11-fourth.link
check "a profile with an address stays as it is" is "$(nmcli -g connection.interface-name connection show by-address)" ""
reload 0x300
for name in first second fourth; do expect_link $name; done
expect_up by-address
check "a second import changes nothing" says '"changed":false' 'import --yes --json'
check "and finds only what is left" says '^1$' "import | grep -c '^rule\|^link'"
check "no name is wrong" nm-ib name check
