// SPDX-License-Identifier: LGPL-2.1-or-later
/// Makes system calls of the test program fail or do nothing, if linked in. The functions replace those of the C
/// library for this program only; without a FakeCalls each call reaches the kernel.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace nmib::test
{

/// Answers of a hook besides an errno. pass: the kernel gets the call. pretend: the call succeeds without the kernel.
/// one_byte: read(2) and write(2) transfer one byte.
constexpr int pass = 0, pretend = -1, one_byte = -2;

class FakeCalls
{
public:
    /// A hook. Gets the name of the function ("fsync") and its path; for sleep and alarm the seconds, for nanosleep the
    /// nanoseconds, for poll the milliseconds, for kill the signal. Returns an errno or one of the answers above.
    using Before = std::function<int(std::string_view call, const std::string &what)>;
    using After = std::function<void(std::string_view call, const std::string &what)>;

    explicit FakeCalls(Before before, After after = {});
    ~FakeCalls();
    FakeCalls(const FakeCalls &) = delete;
    FakeCalls &operator=(const FakeCalls &) = delete;

    const Before before;
    const After after; ///< runs after a call that succeeded in the kernel

private:
    FakeCalls *outer_;
};

/// Returns a hook that gives `answer` to the `nth` call (from 0) of `call` whose path ends with `ending`.
FakeCalls::Before fail(std::string_view call, int answer, std::string_view ending = "", unsigned nth = 0);

} // namespace nmib::test
