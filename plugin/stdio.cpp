// SPDX-License-Identifier: GPL-2.0-or-later
// A static libnl is compiled for programs, not for shared objects: it takes the addresses of libc's `stdout` and
// `stderr` as fixed at link time. The linker (--wrap) replaces them by the variables below, inside the plugin. libnl
// writes to them only if NLDBG or NLCB is in the environment.
#include <cstdio>

extern "C" {
extern std::FILE *__real_stdout; // NOLINT(bugprone-reserved-identifier): the linker's names
extern std::FILE *__real_stderr; // NOLINT(bugprone-reserved-identifier)

std::FILE *__wrap_stdout = nullptr; // NOLINT(bugprone-reserved-identifier)
std::FILE *__wrap_stderr = nullptr; // NOLINT(bugprone-reserved-identifier)
}

namespace
{
/// Runs before libnl's constructors.
[[gnu::constructor(101)]] void set()
{
    __wrap_stdout = __real_stdout;
    __wrap_stderr = __real_stderr;
}
} // namespace
