// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/rdma/words.hpp"

#include "core/base/text.hpp"

#include <algorithm>

namespace nmib
{

namespace
{
enum Index { roce_mode, roce_tos, soft_rdma, vf_guids, skip };
constexpr RdmaWord table[] = {
    {"rdma.roce-mode", "v1|v2", N_("v1 or v2")},
    {"rdma.roce-tos", "0..255", N_("a number from 0 to 255")},
    {"rdma.soft-rdma", "rxe|siw|none", N_("rxe, siw or none")},
    {"rdma.vf-guids", "auto|VF=GUID,...",
     N_("auto, or VF=GUID,VF=GUID,... with the number of a virtual function and a GUID for it alone")},
    {"rdma.skip", "yes|no", N_("yes or no")},
};
constexpr unsigned most_vfs = 65535; ///< sriov_totalvfs has 16 bits (PCI Express, SR-IOV capability)

std::optional<VfGuids> parse_vf_guids(std::string_view value)
{
    VfGuids guids;
    if (value == "auto") return VfGuids{.automatic = true};
    for (bool more = !value.empty(); more;) {
        const auto comma = value.find(',');
        const auto part = trim(value.substr(0, comma));
        more = comma != value.npos;
        if (more) value.remove_prefix(comma + 1);
        const auto equals = part.find('=');
        if (equals == part.npos) return std::nullopt;
        const auto number = parse_decimal(part.substr(0, equals), most_vfs - 1);
        const auto guid = Guid::parse(part.substr(equals + 1));
        if (!number || !guid || guid->value == 0) return std::nullopt;
        for (const auto &[other, taken] : guids.of)
            if (taken == *guid) return std::nullopt; // GUIDs are unique in a subnet
        if (!guids.of.emplace(static_cast<unsigned>(*number), *guid).second) return std::nullopt;
    }
    return guids.of.empty() ? std::nullopt : std::optional(guids);
}

std::string str(const VfGuids &guids)
{
    if (guids.automatic) return "auto";
    std::string s;
    for (const auto &[number, guid] : guids.of) s += (s.empty() ? "" : ",") + std::to_string(number) + "=" + guid.str();
    return s;
}
} // namespace

const std::span<const RdmaWord> all_rdma_words = table;

Message private_profile_refusal()
{
    return {N_("rdma.* words are refused in a profile with connection.permissions: the words change the machine for "
               "all users. Make connection.permissions empty, or remove the words")};
}

const RdmaWord *find_rdma_word(std::string_view name) noexcept
{
    const auto it = std::find_if(std::begin(table), std::end(table), [&](const auto &w) { return w.name == name; });
    return it == std::end(table) ? nullptr : it;
}

std::string_view word(RoceMode mode) noexcept { return mode == RoceMode::v1 ? "v1" : "v2"; }
std::string_view kernels(RoceMode mode) noexcept { return mode == RoceMode::v1 ? "IB/RoCE v1" : "RoCE v2"; }

std::optional<RoceMode> parse_kernels_roce_mode(std::string_view text) noexcept
{
    if (text == kernels(RoceMode::v1)) return RoceMode::v1;
    if (text == kernels(RoceMode::v2)) return RoceMode::v2;
    return std::nullopt;
}

std::string_view word(SoftRdma type) noexcept
{
    return type == SoftRdma::rxe ? "rxe" : type == SoftRdma::siw ? "siw" : "none";
}

Result<void, Message> set(RdmaWords &words, const RdmaWord &word, std::string_view value)
{
    const auto bad = [&] {
        return Message{
            N_("{word}: '{value}' is not valid; valid: {values}, or \"\" to remove the word"),
            {{"word", std::string(word.name)}, {"value", std::string(value)}, {"values", Message{word.values}}}};
    };
    if (printable(value) != value) return bad(); // a value is one line of a file
    switch (static_cast<Index>(&word - table)) {
    case roce_mode:
        words.roce_mode.reset();
        if (value == "v1" || value == "v2")
            words.roce_mode = value == "v1" ? RoceMode::v1 : RoceMode::v2;
        else if (!value.empty())
            return bad();
        return {};
    case roce_tos: {
        const auto tos = parse_decimal(value, 255);
        if (!tos && !value.empty()) return bad();
        words.roce_tos = tos ? std::optional(static_cast<unsigned>(*tos)) : std::nullopt;
        return {};
    }
    case soft_rdma:
        words.soft.reset();
        for (const auto type : {SoftRdma::none, SoftRdma::rxe, SoftRdma::siw})
            if (nmib::word(type) == value) words.soft = type;
        if (!words.soft && !value.empty()) return bad();
        return {};
    case vf_guids:
        words.vf_guids = parse_vf_guids(value);
        if (!words.vf_guids && !value.empty()) return bad();
        return {};
    case skip:
        words.skip = value == "yes" || value == "true";
        if (!words.skip && !value.empty() && value != "no" && value != "false") return bad();
        return {};
    }
    return bad();
}

std::optional<Message> refusal(const RdmaWord &word, std::string_view type, std::string_view port_of)
{
    const auto of = [&](std::initializer_list<std::string_view> types) {
        return std::find(types.begin(), types.end(), type) != types.end();
    };
    const auto say = [&](const char *sentence) {
        return Message{
            sentence,
            {{"word", std::string(word.name)}, {"type", std::string(type)}, {"controller", std::string(port_of)}}};
    };
    const auto which = static_cast<Index>(&word - table);
    if (which == skip || (which == vf_guids && of({"infiniband"}))) return {};
    if (which == vf_guids) return say(N_("{word}: only an InfiniBand profile has virtual functions with GUIDs"));
    if (of({"infiniband"}))
        return say(N_("{word}: an InfiniBand port has no RoCE; use the word in an Ethernet profile"));
    if (which == soft_rdma && !port_of.empty()) // the bond receives the packets (rxe_net.c, rxe_udp_encap_recv)
        return say(N_("{word}: on a port of a {controller} such a device receives nothing; use the word in the profile "
                      "of the {controller}"));
    if (which == soft_rdma && of({"vlan"}))
        return say(N_("{word}: the kernel makes no such device on a VLAN; use the word in the profile of the VLAN's "
                      "parent"));
    if (of({"802-3-ethernet", "vlan", "bond", "bridge", "team", "veth"})) return {};
    return say(N_("{word}: a profile of type {type} has no RDMA port"));
}

std::string text(const RdmaWords &words)
{
    std::string s;
    if (words.roce_mode) s += "roce-mode=" + std::string(word(*words.roce_mode)) + "\n";
    if (words.roce_tos) s += "roce-tos=" + std::to_string(*words.roce_tos) + "\n";
    if (words.soft) s += "soft-rdma=" + std::string(word(*words.soft)) + "\n";
    if (words.vf_guids) s += "vf-guids=" + str(*words.vf_guids) + "\n";
    if (words.skip) s += "skip=yes\n";
    return s;
}

RdmaWordsRead parse_rdma_words(std::string_view text)
{
    RdmaWordsRead read;
    while (!text.empty()) {
        const auto line = trim(take(text));
        if (line.empty() || line.starts_with('#')) continue;
        const auto name = std::string(trim(line.substr(0, line.find('='))));
        const auto *word = line.find('=') == line.npos ? nullptr : find_rdma_word("rdma." + name);
        const auto value = word ? trim(line.substr(line.find('=') + 1)) : "";
        const auto r = word ? set(read.words, *word, value)
                            : Message{N_("'{line}' is not an rdma.* word with a value"), {{"line", std::string(line)}}};
        if (r)
            read.values[name] = value;
        else
            read.bad.push_back(r.error());
    }
    return read;
}

} // namespace nmib
