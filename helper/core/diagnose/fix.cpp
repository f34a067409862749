// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/diagnose/fix.hpp"

namespace nmib
{

std::vector<CommandLine> fix(const Trouble &t)
{
    if (mending_generator(t)) return {}; // the generator would write the profile again
    const auto &id = t.kind->id;
    if (id == "no-ipoib-module") return {{"modprobe", "ib_ipoib"}};
    if (id == "no-umad-module") return {{"modprobe", "ib_umad"}};
    if (id == "no-rdma-device") return {{"modprobe", t.value}};
    if (id == "keyfile-permissions")
        return {{"chown", "root:root", t.where}, {"chmod", "600", t.where}, {"nmcli", "connection", "load", t.where}};
    if (id == "keyfile-not-loaded") return {{"nmcli", "connection", "load", t.where}};
    if (id == "dispatcher-refused") return {{"chown", "root:root", t.where}, {"chmod", "755", t.where}};
    if (id == "selinux-label") return {{"restorecon", "-RF", t.where}};
    if (id == "pkey-looks-decimal")
        return {{"nm-ib", "connection", "modify", "uuid", t.uuid, "infiniband.p-key", "0x" + t.value}};
    if (id == "connected-impossible")
        return {{"nm-ib", "connection", "modify", "uuid", t.uuid, "infiniband.transport-mode", "datagram"}};
    if (id == "words-in-profile") {
        const auto space = t.value.find(' ');
        const auto value = t.value.substr(space + 1);
        return {
            {"nm-ib", "connection", "modify", "uuid", t.uuid, t.value.substr(0, space), value == "''" ? "" : value}};
    }
    return {};
}

} // namespace nmib
