// SPDX-License-Identifier: LGPL-2.1-or-later
/// What a profile asks of the RDMA device of its interface. Stored beside the profile, in a file that only root writes
/// (docs/decisions/rdma-words.md).
#pragma once
#include "core/base/result.hpp"
#include "core/ib/hwaddr.hpp"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nmib
{

/// The RoCE version that RDMA-CM takes for connections it begins (configfs, default_roce_mode).
enum class RoceMode { v1, v2 };
std::string_view word(RoceMode mode) noexcept;    ///< "v1"
std::string_view kernels(RoceMode mode) noexcept; ///< as configfs and GID types say it: "IB/RoCE v1", "RoCE v2"
std::optional<RoceMode> parse_kernels_roce_mode(std::string_view text) noexcept;

/// An RDMA device in software on an Ethernet interface (RDMA netlink, link types "rxe" and "siw").
enum class SoftRdma { none, rxe, siw };
std::string_view word(SoftRdma type) noexcept;

/// GUIDs for virtual functions: of all that there are, or by their number.
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
    bool skip = false; ///< the profile is left to NetworkManager, and so are the other words

    /// Nothing is asked of an RDMA device.
    bool empty() const noexcept { return !roce_mode && !roce_tos && !soft && !vf_guids; }
    friend bool operator==(const RdmaWords &, const RdmaWords &) = default;
};

struct RdmaWord {
    std::string_view name;   ///< as nm-ib has it: "rdma.roce-mode"
    std::string_view values; ///< for a message
};
extern const std::span<const RdmaWord> all_rdma_words;
/// Null for a name that is none of these.
const RdmaWord *find_rdma_word(std::string_view name) noexcept;

/// Takes one in; an empty value takes it back. The Error says what the word takes.
Result<void> set(RdmaWords &words, const RdmaWord &word, std::string_view value);
/// Why a profile of this type (connection.type) cannot have the word; empty where it can. `port_of`: the type of what
/// its interface becomes a port of (connection.slave-type: "bond"), empty for none.
std::string refusal(const RdmaWord &word, std::string_view type, std::string_view port_of = {});

/// Why a profile with connection.permissions cannot have words, and the way out. Any user may add such a profile, and
/// the words change the machine. rdma.skip changes nothing, and is no such word.
extern const std::string_view private_profile_refusal;

/// A line for each word: "roce-mode=v2".
std::string text(const RdmaWords &words);

/// Values as they were typed, by "roce-mode".
using RdmaValues = std::map<std::string, std::string>;
struct RdmaWordsRead {
    RdmaWords words{};
    RdmaValues values{};
    std::vector<std::string> bad{}; ///< what was left out, and why
};
/// Reads such lines. An empty line and one that begins with '#' are left out without a reason.
RdmaWordsRead parse_rdma_words(std::string_view text);

} // namespace nmib
