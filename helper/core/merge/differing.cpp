// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/merge/differing.hpp"

#include "core/message.hpp"

#include <algorithm>

namespace nmib::merging
{

namespace
{
constexpr std::size_t shown = 5; ///< names in a list; who wants all asks for JSON
} // namespace

std::string listed(const Names &names, Translate translate)
{
    std::string text;
    for (std::size_t i = 0; i < std::min(names.size(), shown); i++) text += (i == 0 ? "" : ", ") + names[i];
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
    if (hosts_.size() < 2) return false;
    const auto &first = hosts_.begin()->second;
    return first.size() > 1 || std::any_of(std::next(hosts_.begin()), hosts_.end(),
                                           [&](const auto &other) { return other.second != first; });
}

std::vector<const std::pair<const std::string, Names> *> Differing::fewest_first() const
{
    std::vector<const std::pair<const std::string, Names> *> all;
    for (const auto &entry : hosts_) all.push_back(&entry);
    std::stable_sort(all.begin(), all.end(),
                     [](const auto *a, const auto *b) { return a->second.size() < b->second.size(); });
    return all;
}

std::string Differing::text(Translate translate) const
{
    std::string text;
    for (const auto *entry : fewest_first())
        text += (text.empty() ? "" : "; ") + entry->first + ": " + listed(entry->second, translate);
    return text;
}

Names Differing::odd() const
{
    Names names;
    auto all = fewest_first();
    const auto n = all.size();
    if (n > 1 && all[n - 1]->second.size() > all[n - 2]->second.size()) all.pop_back();
    for (const auto *entry : all) names.insert(names.end(), entry->second.begin(), entry->second.end());
    return names;
}

} // namespace nmib::merging
