// SPDX-License-Identifier: LGPL-2.1-or-later
#include "verbs/doctor/input.hpp"

#include "core/base/text.hpp"
#include "probe/base/dir.hpp"
#include "terminal/words.hpp"

#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

namespace nmib::cli
{

namespace
{
constexpr std::size_t size_limit = 16UL << 20; ///< bytes; a host with 64 cards needs some hundred thousand

} // namespace

std::string label_of_input(const std::string &file) { return file == "-" ? _("standard input") : printable(file); }

Result<std::string> read_input(const std::string &file)
{
    UniqueFd own(file == "-" ? -1 : ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
    if (file != "-" && !own) return sys_error(errno, label_of_input(file));
    const int fd = file == "-" ? STDIN_FILENO : own.get();
    std::string text;
    for (std::size_t n = 0;;) {
        if (n == text.size()) text.resize(n + 65536);
        const auto r = ::read(fd, text.data() + n, text.size() - n);
        if (r < 0 && errno == EINTR) continue;
        if (r < 0) return sys_error(errno, label_of_input(file));
        n += static_cast<std::size_t>(r);
        if (n > size_limit) return bad(form("{}: larger than {} bytes", label_of_input(file), size_limit));
        if (r > 0) continue;
        text.resize(n);
        return text;
    }
}

} // namespace nmib::cli
