// SPDX-License-Identifier: GPL-2.0-or-later
// A static libnl is compiled for programs, not for shared objects: it takes the addresses of libc's `stdout` and
// `stderr` as fixed when it is linked. The linker (--wrap) has it take these, which are inside the plugin. libnl writes
// to them only where NLDBG or NLCB in the environment ask for that.
#include <cstdio>

extern "C" {
extern std::FILE *__real_stdout; // NOLINT(bugprone-reserved-identifier): the linker's names
extern std::FILE *__real_stderr; // NOLINT(bugprone-reserved-identifier)

std::FILE *__wrap_stdout = nullptr; // NOLINT(bugprone-reserved-identifier)
std::FILE *__wrap_stderr = nullptr; // NOLINT(bugprone-reserved-identifier)
}

namespace
{
/// Before libnl's own constructors.
[[gnu::constructor(101)]] void set()
{
    __wrap_stdout = __real_stdout;
    __wrap_stderr = __real_stderr;
}
} // namespace
