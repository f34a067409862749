// SPDX-License-Identifier: LGPL-2.1-or-later
/// A value, or the one line that says why there is none. Used wherever a module's face can fail; nothing is thrown.
#pragma once
#include <string>
#include <utility>
#include <variant>

namespace nmib
{

/// What went wrong, as far as a caller decides on it; `what` is for people: the thing, the place, the way out.
struct Error {
    enum class Kind {
        invalid,     ///< input that cannot be right
        absent,      ///< the thing asked for is not there
        refused,     ///< the kernel or a driver said no
        denied,      ///< not allowed to look or to change
        unsupported, ///< this kernel or device has no such thing
        io           ///< everything else a system call can say
    };
    Kind kind = Kind::io;
    std::string what;
};

/// The kind that stands for an errno value.
Error::Kind error_kind(int sys_errno) noexcept;
/// "<where>: <strerror>" with the matching kind.
Error sys_error(int sys_errno, std::string where);

/// To ask for the value where there is none throws std::bad_variant_access, which the plugin's fence catches: a mistake
/// of ours does not end the daemon. The error of a good one is empty.
template<class T> class [[nodiscard]] Result
{
public:
    Result(T value) : v_(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : v_(std::in_place_index<1>, std::move(error)) {}

    explicit operator bool() const noexcept { return v_.index() == 0; }
    T &operator*() & { return std::get<0>(v_); }
    const T &operator*() const & { return std::get<0>(v_); }
    T &&operator*() && { return std::get<0>(std::move(v_)); }
    T *operator->() { return &std::get<0>(v_); }
    const T *operator->() const { return &std::get<0>(v_); }
    const Error &error() const noexcept
    {
        static const Error none;
        const auto *error = std::get_if<1>(&v_);
        return error ? *error : none;
    }

private:
    std::variant<T, Error> v_;
};

template<> class [[nodiscard]] Result<void>
{
public:
    Result() = default;
    Result(Error error) : failed_(true), error_(std::move(error)) {}
    explicit operator bool() const noexcept { return !failed_; }
    const Error &error() const noexcept { return error_; }

private:
    bool failed_ = false;
    Error error_;
};

} // namespace nmib
