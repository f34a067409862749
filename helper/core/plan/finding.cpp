// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/plan/finding.hpp"

#include "core/base/message.hpp"
#include "core/base/text.hpp"

#include <utility>

namespace nmib
{

namespace
{
using Code = Finding::Code;
using Cause = Finding::Cause;

const char *words(Code code) noexcept
{
    switch (code) {
    case Code::connected_impossible:
        return N_(
            "{link}: profile '{profile}' asks for connected mode, which is not possible: {cause}; using datagram mode");
    case Code::connected_refused:
        return N_("{link}: profile '{profile}' asks for connected mode, which is not possible: {cause}; the activation "
                  "fails, as connected-impossible=fail in nm-ib.conf demands");
    case Code::connected_fails:
        return N_("{link}: profile '{profile}' asks for connected mode, which is not possible: {cause}; without the "
                  "device plugin NetworkManager fails to activate it");
    case Code::no_mode_file:
        return N_("{link}: it has no 'mode' file in sysfs (a child made over rtnetlink, or a kernel without connected "
                  "mode), and NetworkManager fails to activate an interface without one");
    case Code::mtu_limited:
        return N_(
            "{link}: MTU {asked} was asked for, {got} is in effect: HCA, port or broadcast group allow no more in "
            "{detail} mode, or a script or a command set it");
    case Code::mtu_unknown:
        return N_("{link}: MTU {asked} was asked for, {got} is set: what the subnet allows is known once the link has "
                  "a carrier");
    case Code::wrong_partition:
        return N_("{link}: profile '{profile}' is for P_Key {key}, and {link} is the interface of P_Key {other}: its "
                  "addresses are in the wrong partition. Give it infiniband.parent (a name of at most 10 characters) "
                  "and no mac-address");
    case Code::partition_unasked:
        return N_("{link}: profile '{profile}' names neither an interface nor a P_Key, and {link} is the interface of "
                  "P_Key {other}. If it is for the port, give it the port's name as connection.interface-name");
    case Code::pkey_not_in_table:
        return N_("{link}: P_Key {key} is not in the P_Key table of {subject} port {port}: no carrier until the subnet "
                  "manager adds it");
    case Code::pkey_limited:
        return N_("{link}: {subject} port {port} is a limited member of the partition of P_Key {key}: it reaches full "
                  "members only");
    case Code::pkey_membership_added:
        return N_("{link}: profile '{profile}' says P_Key {key}; the kernel's key is {other}, it always sets the "
                  "full-membership bit");
    case Code::pkey_taken:
        return N_("{link}: P_Key {key} is that of {subject} already, and the kernel makes no second interface with it");
    case Code::other_port:
        return N_(
            "{link}: profile '{profile}' has the mac-address of another port; NetworkManager does not activate it "
            "here");
    case Code::opted_out: return N_("{link}: profile '{profile}' leaves everything to NetworkManager (rdma.skip yes)");
    case Code::profile_changed:
        return N_("{link}: profile '{profile}' was changed since it was activated here, and is for another interface "
                  "now");
    case Code::parent_name_long:
        return N_("{link}: its parent's name {subject} has more than 10 characters: kernel and NetworkManager name "
                  "P_Key children differently. Use a shorter name");
    case Code::no_subnet_manager:
        return N_("{link}: no subnet manager is seen on {subject} port {port}: no carrier until there is one");
    case Code::quirk_warning: return N_("{link}: {detail} (quirk {subject})");
    case Code::quirk_kernel:
        return N_("{link}: quirk {subject}: handled by the kernel, which does not offer {detail} on this device");
    case Code::quirk_unknown: return N_("{link}: quirk {subject}: this kernel has no offload named {detail}");
    case Code::quirk_already: return N_("{link}: quirk {subject}: {detail} is already as it should be");
    case Code::quirk_refused:
        return N_("{link}: quirk {subject} not applied: profile '{profile}' asks for {detail} explicitly; data may be "
                  "corrupted");
    case Code::quirk_unread:
        return N_("{link}: whether a quirk applies cannot be read, and data may be corrupted: {detail}. Once that is "
                  "mended, activate the profile again; the device plugin tries again by itself");
    case Code::rdma_device_missing: return N_("{link}: {subject} waits: no RDMA device is on the interface yet");
    case Code::rdma_no_roce:
        return N_("{link}: {subject} has no meaning on {detail}, which is no RoCE port; take it out of profile "
                  "'{profile}'");
    case Code::rdma_no_cm:
        return N_("{link}: {subject} cannot be set on {detail}: the module rdma_cm, which keeps it, is not loaded "
                  "(modprobe rdma_ucm)");
    case Code::rdma_roce_version: return N_("{link}: {subject}: {detail} has only the other version of RoCE");
    case Code::rdma_contended:
        return N_("{link}: profile '{detail}' asks for another RoCE value of {subject}: the profile that was activated "
                  "last decides");
    case Code::rdma_name_taken:
        return N_("{link}: RDMA device {subject} is not made: another interface has a device of that name");
    case Code::rdma_no_vf:
        return N_("{link}: {subject}: there is no such virtual function now (sriov.total-vfs in the profile makes "
                  "them)");
    case Code::rdma_vf_in_use:
        return N_("{link}: virtual function {subject} is in use and keeps its GUID; {detail} is given when nobody uses "
                  "it");
    case Code::rdma_vf_bound:
        return N_("{link}: the driver of virtual function {subject} has read its GUID before; {detail} holds once it "
                  "is unbound and bound again");
    case Code::rdma_word_bad: return N_("{link}: profile '{profile}': {detail}");
    case Code::rdma_failed: return N_("{link}: {detail}");
    }
    return "";
}

const char *words(Cause cause) noexcept
{
    switch (cause) {
    case Cause::none: return "";
    case Cause::no_rc: return N_("the device does not offer it (no RC bit in its address, as with enhanced IPoIB)");
    case Cause::driver: return N_("the driver refused it");
    case Cause::quirk: return "{detail}";
    }
    return "";
}
} // namespace

std::string_view id(Code code) noexcept
{
    switch (code) {
    case Code::connected_impossible: return "connected-impossible";
    case Code::connected_refused: return "connected-refused";
    case Code::connected_fails: return "connected-fails";
    case Code::no_mode_file: return "no-mode-file";
    case Code::mtu_limited: return "mtu-limited";
    case Code::mtu_unknown: return "mtu-unknown";
    case Code::wrong_partition: return "wrong-partition";
    case Code::partition_unasked: return "partition-unasked";
    case Code::pkey_not_in_table: return "pkey-not-in-table";
    case Code::pkey_limited: return "pkey-limited";
    case Code::pkey_membership_added: return "pkey-membership-added";
    case Code::pkey_taken: return "pkey-taken";
    case Code::other_port: return "other-port";
    case Code::opted_out: return "opted-out";
    case Code::profile_changed: return "profile-changed";
    case Code::parent_name_long: return "parent-name-long";
    case Code::no_subnet_manager: return "no-subnet-manager";
    case Code::quirk_warning: return "quirk-warning";
    case Code::quirk_kernel: return "quirk-kernel";
    case Code::quirk_unknown: return "quirk-unknown";
    case Code::quirk_already: return "quirk-already";
    case Code::quirk_refused: return "quirk-refused";
    case Code::quirk_unread: return "quirk-unread";
    case Code::rdma_device_missing: return "rdma-device-missing";
    case Code::rdma_no_roce: return "rdma-no-roce";
    case Code::rdma_no_cm: return "rdma-no-cm";
    case Code::rdma_roce_version: return "rdma-roce-version";
    case Code::rdma_contended: return "rdma-contended";
    case Code::rdma_name_taken: return "rdma-name-taken";
    case Code::rdma_no_vf: return "rdma-no-vf";
    case Code::rdma_vf_in_use: return "rdma-vf-in-use";
    case Code::rdma_vf_bound: return "rdma-vf-bound";
    case Code::rdma_word_bad: return "rdma-word-bad";
    case Code::rdma_failed: return "rdma-failed";
    }
    return "";
}

std::string text(const Finding &f, Translate translate)
{
    const auto render = [&](const char *what, const std::string &cause) {
        return message(translate, what, fmt::arg("link", printable(f.link.view())),
                       fmt::arg("profile", printable(f.profile)), fmt::arg("cause", cause), fmt::arg("asked", f.asked),
                       fmt::arg("got", f.got), fmt::arg("key", hex(f.key, 4)), fmt::arg("other", hex(f.other_key, 4)),
                       fmt::arg("port", f.port), fmt::arg("subject", printable(f.subject)),
                       fmt::arg("detail", printable(f.detail)));
    };
    return render(words(f.code), render(words(f.cause), {}));
}

namespace
{
constexpr char of_now = '=', of_before = '-';
}

bool LoggedLines::first_time(Finding::Severity severity, const std::string &line)
{
    if (!now_.insert(line).second) return false;
    return severity == Finding::Severity::error || !before_.contains(line);
}

void LoggedLines::next() { before_ = std::exchange(now_, {}); }

std::string LoggedLines::str() const
{
    std::string text;
    for (const auto &line : before_) text += of_before + line + '\n';
    for (const auto &line : now_) text += of_now + line + '\n';
    return text;
}

LoggedLines LoggedLines::parse(std::string_view text)
{
    LoggedLines told;
    while (text.find('\n') != text.npos) {
        const auto line = take(text);
        if (line.starts_with(of_now)) told.now_.emplace(line.substr(1));
        if (line.starts_with(of_before)) told.before_.emplace(line.substr(1));
    }
    return told;
}

} // namespace nmib
