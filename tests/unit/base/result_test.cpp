// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/base/result.hpp"

#include <gtest/gtest.h>

namespace nmib
{
namespace
{

TEST(Result, ValueOfAnErrorThrows)
{
    Result<std::string> bad = Error{Error::Kind::absent, "x"};
    EXPECT_THROW((void)*bad, std::bad_variant_access);
    EXPECT_THROW((void)bad->size(), std::bad_variant_access);
    EXPECT_THROW((void)*std::move(bad), std::bad_variant_access);
    EXPECT_EQ(bad.error().what, "x");
    EXPECT_EQ(Result<int>(1).error().what, "");
    EXPECT_EQ(Result<void>().error().what, "");
}

} // namespace
} // namespace nmib
