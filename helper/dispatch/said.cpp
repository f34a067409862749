// SPDX-License-Identifier: LGPL-2.1-or-later
#include "dispatch/said.hpp"

#include "apply/state.hpp"
#include "core/printable.hpp"

#include <algorithm>

namespace nmib
{

namespace
{
std::vector<std::string> split_lines(std::string_view text)
{
    std::vector<std::string> lines;
    for (auto end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
        lines.emplace_back(text.substr(0, end));
        text.remove_prefix(end + 1);
    }
    return lines;
}
} // namespace

Said Said::load(const std::string &state, int ifindex, const std::string &uuid)
{
    Said s;
    s.state_ = state;
    s.ifindex_ = ifindex;
    if (const auto dir = Dir::open(state))
        if (const auto text = dir->read(state_file(state_said, ifindex), 65536)) s.lines_ = split_lines(*text);
    if (const auto id = printable(uuid); s.lines_.empty() || s.lines_.front() != id) s.lines_ = {id};
    return s;
}

bool Said::first_time(const std::string &line)
{
    if (std::find(lines_.begin() + 1, lines_.end(), line) != lines_.end()) return false;
    lines_.push_back(line);
    changed_ = true;
    return true;
}

Result<void> Said::save() const
{
    if (!changed_) return {};
    std::string text;
    for (const auto &l : lines_) text += l + "\n";
    return keep_state(state_, state_said, ifindex_, text);
}

void Said::forget(const std::string &state, int ifindex) { drop_state(state, state_said, ifindex); }

} // namespace nmib
