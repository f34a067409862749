// SPDX-License-Identifier: LGPL-2.1-or-later
/// Why a throughput is lower than the port's data rate.
#pragma once
#include "core/check/seen.hpp"
#include "core/translate.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nmib
{

struct CheckReason {
    /// In the messages: {where}, {peer}, {subject} and {value}.
    struct Kind {
        std::string_view id; ///< stable, an entry in nm-ib-check(1)
        const char *seen;
        const char *mend;
    };
    const Kind *kind = nullptr;
    std::string where{}, peer{}, subject{}, value{};
};

std::string seen(const CheckReason &reason, Translate translate = untranslated);
std::string mend(const CheckReason &reason, Translate translate = untranslated);

/// In the order in which they usually cost most: MTU and mode of both ends, TSO, one stream, PCI, processor.
std::vector<CheckReason> reasons(const std::string &peer, bool six, const LinkSeen &link, const IperfSeen &iperf);
/// All there are.
std::span<const CheckReason::Kind> reason_kinds() noexcept;

} // namespace nmib
