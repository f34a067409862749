// SPDX-License-Identifier: LGPL-2.1-or-later
/// The request of a profile for the RDMA device of its interface: the rdma.* words. Stored beside the profile, in a
/// file that only root can write (docs/decisions/rdma-words.md).
#pragma once
#include "core/base/result.hpp"
#include "core/ib/hwaddr.hpp"
#include "core/message/message.hpp"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nmib
{

/// RDMA-CM's RoCE version for outgoing connections (configfs, default_roce_mode).
enum class RoceMode { v1, v2 };
std::string_view word(RoceMode mode) noexcept;    ///< "v1"
std::string_view kernels(RoceMode mode) noexcept; ///< as in configfs and in GID types: "IB/RoCE v1", "RoCE v2"
std::optional<RoceMode> parse_kernels_roce_mode(std::string_view text) noexcept;

/// A software RDMA device on an Ethernet interface (RDMA netlink, link types "rxe" and "siw").
enum class SoftRdma { none, rxe, siw };
std::string_view word(SoftRdma type) noexcept;

/// GUIDs of virtual functions: automatic for all, or by number.
struct VfGuids {
    bool automatic = false;
    std::map<unsigned, Guid> of{};
    friend bool operator==(const VfGuids &, const VfGuids &) = default;
};

struct RdmaWords {
    std::optional<RoceMode> roce_mode{};
    std::optional<unsigned> roce_tos{}; ///< 0 to 255
    std::optional<SoftRdma> soft{};
    std::optional<VfGuids> vf_guids{};
    bool skip = false; ///< the profile is left to NetworkManager; other words are ignored

    /// Returns true if no word is for an RDMA device.
    bool empty() const noexcept { return !roce_mode && !roce_tos && !soft && !vf_guids; }
    friend bool operator==(const RdmaWords &, const RdmaWords &) = default;
};

struct RdmaWord {
    std::string_view name; ///< "rdma.roce-mode"
    std::string_view form; ///< for help and completion: "v1|v2"; a word in lower case is a value
    const char *values;    ///< possible values, for a message
};
extern const std::span<const RdmaWord> all_rdma_words;
/// Returns null for an unknown name.
const RdmaWord *find_rdma_word(std::string_view name) noexcept;

/// Sets a word; an empty value unsets it. The error has the possible values.
Result<void, Message> set(RdmaWords &words, const RdmaWord &word, std::string_view value);
/// Why a profile of this type (connection.type) cannot have the word; nothing if it can. `port_of`:
/// connection.slave-type, e.g. "bond"; empty for none.
std::optional<Message> refusal(const RdmaWord &word, std::string_view type, std::string_view port_of = {});

/// Why a profile with connection.permissions cannot have words, and the remedy. Any user can add such a profile, but
/// the words change the machine. rdma.skip changes nothing, and is allowed.
Message private_profile_refusal();

/// One line for each word: "roce-mode=v2".
std::string text(const RdmaWords &words);

/// Values as written, by "roce-mode".
using RdmaValues = std::map<std::string, std::string>;
struct RdmaWordsRead {
    RdmaWords words{};
    RdmaValues values{};
    std::vector<Message> bad{}; ///< ignored lines, with the reason
};
/// Parses the lines. Empty lines and lines that begin with '#' are ignored without a reason.
RdmaWordsRead parse_rdma_words(std::string_view text);

} // namespace nmib
