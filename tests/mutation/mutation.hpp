// SPDX-License-Identifier: LGPL-2.1-or-later
// Included by each file that tests/mutate writes.
#pragma once
#include <cstdlib>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace mutation
{
inline constexpr unsigned count = NMIB_MUTATION_COUNT; // of all numbers, and the size of the file of marks

struct State {
    unsigned mutant = 0;
    unsigned char *seen = nullptr;

    State()
    {
        if (const char *number = std::getenv("NMIB_MUTANT"))
            mutant = static_cast<unsigned>(std::strtoul(number, nullptr, 10));
        const char *path = std::getenv("NMIB_MUTATION_SEEN");
        const int fd = path ? ::open(path, O_RDWR | O_CLOEXEC) : -1;
        if (fd < 0) return;
        void *const map = ::mmap(nullptr, count, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        if (map != MAP_FAILED) seen = static_cast<unsigned char *>(map);
        ::close(fd);
    }
};

/// Marks mutant `n` as executed in the file NMIB_MUTATION_SEEN. Returns true if NMIB_MUTANT is `n`.
inline bool is_live(unsigned n)
{
    static const State state;
    if (state.seen) state.seen[n] = 1;
    return n == state.mutant;
}

/// False while compiling, so that constants stay constants.
constexpr bool is(unsigned n)
{
    if (__builtin_is_constant_evaluated()) return false;
    return is_live(n);
}
} // namespace mutation
