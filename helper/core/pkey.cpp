// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/pkey.hpp"

#include "core/number.hpp"

namespace nmib
{

std::string PKey::str() const { return hex(value_, 4); }

} // namespace nmib
