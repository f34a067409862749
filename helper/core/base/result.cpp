// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/base/result.hpp"

#include <cerrno>
#include <system_error>

namespace nmib
{

Error::Kind error_kind(int sys_errno) noexcept
{
    switch (sys_errno) {
    case EINVAL:
    case ERANGE:
    case ENOTUNIQ: return Error::Kind::refused;
    case ENOENT:
    case ENODEV:
    case ENXIO:
    case ESRCH: return Error::Kind::absent;
    case EPERM:
    case EACCES: return Error::Kind::denied;
    case ENOTDIR:
    case ELOOP: return Error::Kind::invalid;
    case EOPNOTSUPP:
    case ENOSYS:
    case ENOTTY: return Error::Kind::unsupported;
    default: return Error::Kind::io;
    }
}

Error sys_error(int sys_errno, std::string where)
{
    return {error_kind(sys_errno), std::move(where) + ": " + std::generic_category().message(sys_errno)};
}

} // namespace nmib
