// SPDX-License-Identifier: LGPL-2.1-or-later
/// Something the user should know, with its reason: a value here, a sentence at the edge.
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

struct Finding {
    enum class Code {
        connected_impossible,  ///< asked for, datagram used
        connected_refused,     ///< asked for, and the policy leaves NetworkManager to fail
        connected_fails,       ///< asked for, and no plugin keeps NetworkManager from failing: refused
        no_mode_file,          ///< NetworkManager will fail to write it, whatever the mode
        mtu_limited,           ///< `asked`, and only `got`
        mtu_unknown,           ///< no carrier: the MTU is settled when the broadcast group is joined
        wrong_partition,       ///< the profile's P_Key is not the interface's
        partition_unasked,     ///< the profile names neither interface nor P_Key, and is on a child
        pkey_not_in_table,     ///< no carrier until the subnet manager adds it
        pkey_limited,          ///< the table's entry is a limited membership
        pkey_membership_added, ///< the kernel's key has bit 15, the profile's has not
        pkey_taken,            ///< another interface of the port has it, the kernel makes no second: refused
        other_port,            ///< the profile's mac-address is not the interface's: refused
        opted_out,             ///< the profile says that nothing is to be done
        profile_changed,       ///< since it was activated; it is for another interface now
        parent_name_long,      ///< kernel and NetworkManager name the child differently
        no_subnet_manager,     ///< none seen on the port
        quirk_warning,         ///< a matching quirk's own words
        quirk_kernel,          ///< the kernel does not offer the feature: handled by the kernel
        quirk_unknown,         ///< this kernel has no feature of that name
        quirk_already,         ///< the feature is as the quirk wants it
        quirk_refused,         ///< the profile says otherwise, explicitly
        quirk_unread,          ///< it is unknown whether one applies: something could not be read
        rdma_device_missing,   ///< no RDMA device is on the interface; the word is carried out when one comes
        rdma_no_roce,          ///< a word of RoCE, and the port is none
        rdma_no_cm,            ///< RDMA-CM, which keeps the value, is not loaded
        rdma_roce_version,     ///< the port has not that version
        rdma_contended,        ///< profiles of two interfaces ask different things of one port
        rdma_name_taken,       ///< another RDMA device has the name of the one to be made
        rdma_no_vf,            ///< there is no such virtual function
        rdma_vf_in_use,        ///< left alone
        rdma_vf_bound,         ///< its driver has read the GUID before
        rdma_word_bad,         ///< a value in the profile that is not possible, or words in a private profile
        rdma_failed,           ///< the kernel refused a step
    };
    enum class Severity { debug, info, warning, error }; ///< debug: a line of a log, no finding
    /// Why connected mode is impossible.
    enum class Cause { none, no_rc, driver, quirk };

    Code code;
    IfName link;
    Severity severity = Severity::warning;
    Cause cause = Cause::none;
    Mtu asked = 0, got = 0;
    std::uint16_t key = 0, other_key = 0; ///< the profile's, the interface's
    unsigned port = 0;
    std::string profile{}; ///< profile id
    std::string subject{}; ///< HCA, quirk or file name
    std::string detail{};  ///< a quirk's own words, a feature, an error
};

/// A stable word for the code, for machines: "mtu-limited".
std::string_view id(Finding::Code code) noexcept;

/// One line, without a newline, beginning with the interface.
std::string text(const Finding &finding, Translate translate = untranslated);

// Remembers which messages were logged for an interface, so that repeats are dropped.

class LoggedLines
{
public:
    /// Returns true if the line should be logged: errors once per activation, other lines only if neither this nor the
    /// previous activation had them.
    bool first_time(Finding::Severity severity, const std::string &line);
    /// Begins another activation.
    void next();
    bool operator==(const LoggedLines &) const = default;

    /// Serialised for short-lived processes.
    std::string str() const;
    /// Parses the output of str(); unknown lines are ignored.
    static LoggedLines parse(std::string_view text);

private:
    std::set<std::string> now_, before_; ///< the lines of this activation and of the previous one, logged or not
};

} // namespace nmib
