// SPDX-License-Identifier: LGPL-2.1-or-later
#include "apply/state.hpp"

#include "apply/file.hpp"
#include "core/number.hpp"

#include <climits>
#include <net/if.h>

namespace nmib
{

namespace
{
/// Nobody tells when an interface goes, and children come and go: what is about those that are gone is removed for
/// every 32nd interface. Numbers are given in order.
void drop_gone(const Dir &dir, int ifindex)
{
    if (ifindex % 32 != 0) return;
    const auto files = dir.list();
    if (!files) return;
    char name[IF_NAMESIZE];
    for (const auto &file : *files)
        for (const auto kind : {state_mtu, state_child, state_told}) {
            if (!file.starts_with(std::string(kind) + "-")) continue;
            const auto number = parse_decimal(std::string_view(file).substr(kind.size() + 1), INT_MAX);
            if (number && !if_indextoname(static_cast<unsigned>(*number), name)) (void)remove_file(dir, file);
        }
}
} // namespace

Result<void> keep_state(const std::string &state, std::string_view kind, int ifindex, const std::string &text)
{
    const auto dir = make_dir(state);
    if (!dir) return dir.error();
    drop_gone(*dir, ifindex);
    return write_file(*dir, state_file(kind, ifindex), text);
}

void drop_state(const std::string &state, std::string_view kind, int ifindex)
{
    if (const auto dir = Dir::open(state)) (void)remove_file(*dir, state_file(kind, ifindex));
}

} // namespace nmib
