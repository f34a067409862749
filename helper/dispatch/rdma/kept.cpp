// SPDX-License-Identifier: LGPL-2.1-or-later
#include "dispatch/rdma/kept.hpp"

#include "apply/plan/apply.hpp"
#include "core/base/text.hpp"
#include "probe/base/dir.hpp"
#include "probe/plan/state.hpp"

namespace nmib
{

std::string RdmaKept::str() const
{
    return "link " + printable(link) + "\nprofile " + printable(profile) + "\n" + text(words) + made.str();
}

RdmaKept RdmaKept::parse(std::string_view text)
{
    RdmaKept kept{.words = parse_rdma_words(text).words, .made = RdmaMade::parse(text)};
    while (!text.empty()) {
        const auto line = take(text);
        if (line.starts_with("profile ")) kept.profile = line.substr(8);
        if (line.starts_with("link ")) kept.link = line.substr(5);
    }
    return kept;
}

std::vector<int> all_rdma_numbers(const std::string &state)
{
    std::vector<int> all;
    const auto prefix = std::string(state_rdma) + "-";
    for (const auto &file : names_in(state))
        if (const auto n =
                file.starts_with(prefix) ? parse_decimal(file.substr(prefix.size()), INT32_MAX) : std::nullopt)
            all.push_back(static_cast<int>(*n));
    return all;
}

std::map<int, RdmaKept> all_rdma_kept(const std::string &state)
{
    std::map<int, RdmaKept> all;
    for (const auto number : all_rdma_numbers(state))
        if (const auto text = read_state(state, state_rdma, number)) all.emplace(number, RdmaKept::parse(*text));
    return all;
}

void mark_other_profiles(const std::map<int, RdmaKept> &all, int ifindex, std::vector<RdmaPortNow> &ports)
{
    for (const auto &[number, kept] : all) {
        if (number == ifindex) continue;
        for (auto &port : ports) {
            const auto was = kept.made.was.find(port.label());
            if (was == kept.made.was.end()) continue;
            if (was->second.mode) port.first.mode = was->second.mode;
            if (was->second.tos) port.first.tos = was->second.tos;
            if (kept.words.roce_mode) port.others.mode = kept.words.roce_mode;
            if (kept.words.roce_tos) port.others.tos = kept.words.roce_tos;
            if (!port.others.empty()) port.other = kept.profile;
        }
    }
}

} // namespace nmib
