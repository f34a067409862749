// SPDX-License-Identifier: LGPL-2.1-or-later
/// A message of a plan for the user, with its reason: a value here, a sentence from text().
#pragma once
#include "core/base/message.hpp"
#include "core/plan/facts.hpp"
#include "core/plan/policy.hpp"

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

namespace nmib
{

/// One message about the activation of one profile or interface. A fault of the machine, with a remedy, that doctor
/// finds is a Trouble (core/doctor/trouble.hpp).
struct Finding {
    enum class Code {
        connected_impossible,  ///< requested; datagram used
        connected_refused,     ///< requested; the policy lets NetworkManager fail
        connected_fails,       ///< requested; without the plugin NetworkManager fails
        no_mode_file,          ///< NetworkManager fails to write any mode
        mtu_limited,           ///< `got` in effect instead of `asked`
        mtu_unknown,           ///< no carrier: the broadcast group will decide the MTU
        wrong_partition,       ///< the interface has another P_Key than the profile
        partition_unasked,     ///< the profile names neither interface nor P_Key, and is on a child
        pkey_not_in_table,     ///< no carrier until the subnet manager adds the P_Key
        pkey_limited,          ///< the table has a limited membership
        pkey_membership_added, ///< bit 15 is set in the kernel's key, clear in the profile's
        pkey_taken,            ///< another interface of the port has the P_Key; the kernel refuses a second
        other_port,            ///< the mac-address is another port's; NetworkManager refuses
        not_carried,           ///< a bridge, VLAN or the like, which InfiniBand cannot carry
        opted_out,             ///< rdma.skip is yes
        profile_changed,       ///< changed after its activation; for another interface now
        parent_name_long,      ///< kernel and NetworkManager name the child differently
        no_subnet_manager,     ///< none seen on the port
        quirk_warning,         ///< the text of a matching quirk
        quirk_kernel,          ///< the kernel does not offer the feature, so it needs no change
        quirk_unknown,         ///< this kernel has no feature of this name
        quirk_already,         ///< the feature has the quirk's value
        quirk_refused,         ///< the profile explicitly sets another value
        quirk_unread,          ///< unknown whether a quirk applies: a value could not be read
        rdma_device_missing,   ///< no RDMA device on the interface yet; the word waits
        rdma_no_roce,          ///< a RoCE word on a port without RoCE
        rdma_no_cm,            ///< RDMA-CM, which holds the value, is not loaded
        rdma_roce_version,     ///< not supported by the port
        rdma_contended,        ///< profiles of two interfaces set one port differently
        rdma_name_taken,       ///< another RDMA device has the name
        rdma_no_vf,            ///< no such virtual function
        rdma_vf_in_use,        ///< the virtual function keeps its GUID
        rdma_vf_bound,         ///< the driver has already read a GUID
        rdma_word_bad,         ///< an impossible value, or words in a private profile
    };
    enum class Severity { debug, note, warning, error }; ///< debug: only in a log; note: info in a log
    /// Why connected mode is impossible, or why the MTU is lower than requested.
    enum class Cause {
        none,
        no_rc,
        driver,
        quirk,
        group,   ///< the kernel accepted the MTU and lowered it
        refused, ///< the kernel refused the MTU
        changed, ///< the kernel accepted the MTU, and it was changed since
        unseen   ///< refused or changed
    };

    Code code;
    IfName link;
    Severity severity = Severity::warning;
    Cause cause = Cause::none;
    Mtu asked = 0, got = 0;
    std::uint16_t key = 0, other_key = 0; ///< the profile's, the interface's
    unsigned port = 0;
    std::string profile{}; ///< connection.id
    std::string subject{}; ///< HCA, quirk or file name
    std::string detail{};  ///< the text of a quirk, a feature, an error
};

/// A stable word for machines: "mtu-limited".
std::string_view id(Finding::Code code) noexcept;

/// Returns one line, without a newline, beginning with the interface.
std::string text(const Finding &finding, Translate translate = untranslated);

/// Remembers which messages were logged for an interface, so that repeats are dropped.
class LoggedLines
{
public:
    /// Returns true if the line should be logged: errors once per activation, other lines only if neither this nor the
    /// previous activation had them.
    bool first_time(Finding::Severity severity, const std::string &line);
    void next();
    bool operator==(const LoggedLines &) const = default;

    /// Serialised for short-lived processes.
    std::string str() const;
    /// Parses the output of str(); unknown lines are ignored.
    static LoggedLines parse(std::string_view text);

private:
    std::set<std::string> now_, before_; ///< of this activation and of the previous one, logged or not
};

} // namespace nmib
