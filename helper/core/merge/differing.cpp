// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/merge/differing.hpp"

#include "core/message.hpp"

#include <algorithm>

namespace nmib::merging
{

std::string listed(const Names &names, Translate translate)
{
    constexpr std::size_t shown = 5; // JSON has all names
    const auto end = names.begin() + static_cast<std::ptrdiff_t>(std::min(names.size(), shown));
    auto text = fmt::format("{}", fmt::join(names.begin(), end, ", "));
    if (names.size() <= shown) return text;
    return message(translate, N_("{names} and {count} more"), fmt::arg("names", text),
                   fmt::arg("count", names.size() - shown));
}

void add_name(Names &names, const std::string &name)
{
    if (names.empty() || names.back() != name) names.push_back(name);
}

bool Differing::between_hosts() const
{
    const auto is_of_another = [&](const auto &entry) { return entry.second != Names{hosts_.begin()->second.front()}; };
    return hosts_.size() > 1 && std::any_of(hosts_.begin(), hosts_.end(), is_of_another);
}

std::vector<std::pair<std::string, Names>> Differing::fewest_first() const
{
    std::vector<std::pair<std::string, Names>> all(hosts_.begin(), hosts_.end());
    std::stable_sort(all.begin(), all.end(),
                     [](const auto &a, const auto &b) { return a.second.size() < b.second.size(); });
    return all;
}

std::string Differing::text(Translate translate) const
{
    std::string text;
    for (const auto &[value, hosts] : fewest_first())
        text += (text.empty() ? "" : "; ") + value + ": " + listed(hosts, translate);
    return text;
}

Names Differing::odd() const
{
    auto all = fewest_first();
    const auto n = all.size();
    if (n > 1 && all[n - 1].second.size() > all[n - 2].second.size()) all.pop_back();
    Names names;
    for (const auto &[value, hosts] : all) names.insert(names.end(), hosts.begin(), hosts.end());
    return names;
}

} // namespace nmib::merging
