// SPDX-License-Identifier: LGPL-2.1-or-later
/// All rows of the catalogue. A row is found by its id when the program is compiled.
#pragma once
#include "core/message/expect.hpp"
#include "core/message/file.hpp"
#include "core/message/kernel.hpp"
#include "core/message/link.hpp"
#include "core/message/link_quality.hpp"
#include "core/message/merge.hpp"
#include "core/message/module.hpp"
#include "core/message/plan.hpp"
#include "core/message/profile.hpp"
#include "core/message/rdma.hpp"
#include "core/message/route.hpp"
#include "core/message/service.hpp"
#include "core/message/storage.hpp"
#include "core/message/subnet.hpp"
#include "core/message/verbs.hpp"

#include <span>

namespace nmib
{

namespace catalogue
{
inline constexpr std::span<const Kind> all[] = {
    module_kinds, link_kinds,   subnet_kinds,  link_quality_kinds, verbs_kinds,  route_kinds, profile_kinds, plan_kinds,
    file_kinds,   kernel_kinds, service_kinds, storage_kinds,      expect_kinds, merge_kinds, rdma_kinds};
} // namespace catalogue

/// The row with this id. An unknown id does not compile.
consteval const Kind *find_kind(std::string_view id)
{
    for (const auto &kinds : catalogue::all)
        for (const auto &kind : kinds)
            if (kind.id == id) return &kind;
    throw "the catalogue has no row with this id";
}

} // namespace nmib
