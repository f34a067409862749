// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/plan/change.hpp"

#include "core/base/message.hpp"
#include "core/base/text.hpp"

namespace nmib
{

namespace
{
std::string quirk_name(std::size_t index, const Policy &policy)
{
    return index < policy.quirks.size() ? printable(policy.quirks[index].name) : "?";
}

/// The number of consecutive changes from `i` on that set one feature for one quirk.
std::size_t run_of(const std::vector<Change> &changes, std::size_t i)
{
    const auto *first = std::get_if<SetFeature>(&changes[i]);
    std::size_t n = 1;
    for (; first && i + n < changes.size(); n++) {
        const auto *f = std::get_if<SetFeature>(&changes[i + n]);
        if (!f || f->feature != first->feature || f->on != first->on || f->quirk != first->quirk) break;
    }
    return n;
}
} // namespace

bool adopt(Facts &facts, const std::vector<Change> &done) noexcept
{
    for (const auto &change : done) {
        const auto *set = std::get_if<SetFeature>(&change);
        auto *link = set ? facts.find(set->ifindex) : nullptr;
        if (!link) return false;
        for (auto &f : link->features)
            if (f.name == set->feature) f.requested = set->on;
    }
    return true;
}

std::vector<std::string> text(const std::vector<Change> &changes, const Policy &policy, Translate tr)
{
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < changes.size();) {
        const auto n = run_of(changes, i);
        if (const auto *m = std::get_if<SetMode>(&changes[i])) {
            lines.push_back(message(tr, N_("{link}: transport mode set to {mode}"),
                                    fmt::arg("link", printable(m->link.view())), fmt::arg("mode", name(m->mode))));
        } else if (const auto *u = std::get_if<SetMtu>(&changes[i])) {
            lines.push_back(message(tr, N_("{link}: MTU set to {mtu}"), fmt::arg("link", printable(u->link.view())),
                                    fmt::arg("mtu", u->at_most)));
        } else if (const auto *f = std::get_if<SetFeature>(&changes[i])) {
            const auto *what = f->on ? N_("{link}: {feature} switched on (quirk {quirk})")
                                     : N_("{link}: {feature} switched off (quirk {quirk})");
            const auto *many = f->on ? N_("{link} and {count} more: {feature} switched on (quirk {quirk})")
                                     : N_("{link} and {count} more: {feature} switched off (quirk {quirk})");
            lines.push_back(message(tr, n > 1 ? many : what, fmt::arg("link", printable(f->link.view())),
                                    fmt::arg("count", n - 1), fmt::arg("feature", f->feature.view()),
                                    fmt::arg("quirk", quirk_name(f->quirk, policy))));
        }
        i += n;
    }
    return lines;
}

} // namespace nmib
