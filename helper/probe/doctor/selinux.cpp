// SPDX-License-Identifier: LGPL-2.1-or-later
#include "probe/doctor/selinux.hpp"

#include "probe/base/unique_fd.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <string_view>
#include <sys/xattr.h>
#include <unistd.h>

namespace nmib
{

bool selinux_enforces()
{
    const UniqueFd fd(::open("/sys/fs/selinux/enforce", O_RDONLY | O_CLOEXEC));
    if (!fd) return errno == EACCES;
    char value = '0';
    return ::read(fd.get(), &value, 1) == 1 ? value == '1' : errno == EACCES;
}

std::string selinux_type(const std::string &path)
{
    char label[256];
    const auto n = ::lgetxattr(path.c_str(), "security.selinux", label, sizeof label);
    std::string_view type(label, n > 0 ? static_cast<std::size_t>(n) : 0);
    for (int before = 0; before < 2; before++)
        type.remove_prefix(std::min(type.size(), type.find(':') + 1)); // user, role
    return std::string(type.substr(0, type.find(':')));
}

} // namespace nmib
