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
        return N_("{link}: profile '{profile}' requests connected mode, which is not possible: {cause}, "
                  "using datagram mode instead");
    case Code::connected_refused:
        return N_("{link}: profile '{profile}' requests connected mode, which is not possible: "
                  "{cause}; the activation fails because of connected-impossible=fail in nm-ib.conf");
    case Code::connected_fails:
        return N_("{link}: profile '{profile}' requests connected mode, which is not possible: "
                  "{cause}; without the device plugin NetworkManager cannot activate the profile");
    case Code::no_mode_file:
        return N_("{link}: no 'mode' file in sysfs (a child made over rtnetlink, or a kernel "
                  "without connected mode): NetworkManager cannot activate the interface");
    case Code::mtu_limited: return N_("{link}: MTU {asked} was requested, {got} is in effect: {cause}");
    case Code::mtu_unknown:
        return N_("{link}: MTU {asked} was requested, {got} is set: the limit of the subnet is "
                  "known once the link has a carrier");
    case Code::wrong_partition:
        return N_("{link}: profile '{profile}' is for P_Key {key}, and {link} is the interface of "
                  "P_Key {other}: its addresses are in the wrong partition. Set infiniband.parent "
                  "(a name of at most 10 characters), and no mac-address");
    case Code::partition_unasked:
        return N_("{link}: profile '{profile}' names neither an interface nor a P_Key, and {link} "
                  "is the interface of P_Key {other}. If the profile is for the port, set "
                  "connection.interface-name to the port's name");
    case Code::pkey_not_in_table:
        return N_("{link}: P_Key {key} is not in the P_Key table of {subject} port {port}: no carrier until the subnet "
                  "manager adds it");
    case Code::pkey_limited:
        return N_("{link}: {subject} port {port} is a limited member of the partition of P_Key {key}: it reaches full "
                  "members only");
    case Code::pkey_membership_added:
        return N_("{link}: profile '{profile}' has P_Key {key}, using {other} instead: the kernel "
                  "always sets the full-membership bit");
    case Code::pkey_taken:
        return N_("{link}: P_Key {key} is already the P_Key of {subject}, and the kernel makes one "
                  "interface for each P_Key");
    case Code::other_port:
        return N_(
            "{link}: profile '{profile}' has the mac-address of another port; NetworkManager does not activate it "
            "here");
    case Code::not_carried:
        return N_(
            "{link}: profile '{profile}' is for type {detail} on an InfiniBand interface; the kernel refuses this, "
            "because the address has 20 bytes, not 6");
    case Code::opted_out: return N_("{link}: profile '{profile}' leaves everything to NetworkManager (rdma.skip yes)");
    case Code::profile_changed:
        return N_("{link}: profile '{profile}' was changed since it was activated here, and is for another interface "
                  "now");
    case Code::parent_name_long:
        return N_("{link}: its parent's name {subject} has more than 10 characters: kernel and NetworkManager name "
                  "P_Key children differently. Use a shorter name");
    case Code::no_subnet_manager:
        return N_("{link}: no subnet manager found on {subject} port {port}: no carrier until a subnet manager runs");
    case Code::quirk_warning: return N_("{link}: {detail} (quirk {subject})");
    case Code::quirk_kernel:
        return N_("{link}: quirk {subject}: handled by the kernel, which does not offer {detail} on this device");
    case Code::quirk_unknown: return N_("{link}: quirk {subject}: this kernel has no offload named {detail}");
    case Code::quirk_already: return N_("{link}: quirk {subject}: {detail} is already as it should be");
    case Code::quirk_refused:
        return N_("{link}: quirk {subject} not applied: profile '{profile}' requests {detail} "
                  "explicitly; data may be corrupted");
    case Code::quirk_unread:
        return N_("{link}: a value that a quirk compares cannot be read: {detail}. If the quirk "
                  "applies, data may be corrupted. Correct the error, then activate the profile "
                  "again; the device plugin retries by itself");
    case Code::rdma_device_missing: return N_("{link}: {subject} waits: no RDMA device is on the interface yet");
    case Code::rdma_no_roce:
        return N_("{link}: {subject} has no effect on {detail}, which is not a RoCE port; remove "
                  "the word from profile '{profile}'");
    case Code::rdma_no_cm:
        return N_("{link}: {subject} cannot be set on {detail}: the module rdma_cm is not loaded (modprobe rdma_ucm)");
    case Code::rdma_roce_version: return N_("{link}: {subject}: {detail} has only the other version of RoCE");
    case Code::rdma_contended:
        return N_("{link}: profile '{detail}' requests another RoCE value of {subject}: the "
                  "profile that was activated last overrides");
    case Code::rdma_name_taken:
        return N_("{link}: RDMA device {subject} is not made: another interface has a device of that name");
    case Code::rdma_no_vf:
        return N_("{link}: {subject}: this virtual function does not exist (sriov.total-vfs in the "
                  "profile makes virtual functions)");
    case Code::rdma_vf_in_use:
        return N_("{link}: virtual function {subject} is in use and keeps its GUID; {detail} is "
                  "set once it is not in use");
    case Code::rdma_vf_bound:
        return N_("{link}: the driver of virtual function {subject} has read its GUID before; "
                  "{detail} takes effect once the driver is unbound and bound again");
    case Code::rdma_word_bad: return N_("{link}: profile '{profile}': {detail}");
    }
    return "";
}

const char *words(Cause cause) noexcept
{
    switch (cause) {
    case Cause::none: return "";
    case Cause::no_rc:
        return N_("the device does not offer this mode (no RC bit in its address, as with enhanced IPoIB)");
    case Cause::driver: return N_("the driver refused the mode");
    case Cause::quirk: return "{detail}";
    case Cause::group: return N_("the broadcast group of the subnet allows no more");
    case Cause::refused: return N_("the device refuses more in {detail} mode");
    case Cause::changed: return N_("another program has changed it since");
    case Cause::unseen: return N_("the device refuses more in {detail} mode, or another program has changed it since");
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
    case Code::not_carried: return "not-carried";
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
    LoggedLines logged;
    while (text.find('\n') != text.npos) {
        const auto line = take(text);
        if (line.starts_with(of_now)) logged.now_.emplace(line.substr(1));
        if (line.starts_with(of_before)) logged.before_.emplace(line.substr(1));
    }
    return logged;
}

} // namespace nmib
