// SPDX-License-Identifier: LGPL-2.1-or-later
/// A value or an error. Functions that can fail return a Result and do not throw.
#pragma once
#include <string>
#include <utility>
#include <variant>

namespace nmib
{

/// An error: the kind for the caller, `what` for the user: object, place, remedy.
struct Error {
    enum class Kind {
        invalid,     ///< impossible input
        absent,      ///< the object does not exist
        refused,     ///< by the kernel or a driver
        denied,      ///< no permission to read or write
        unsupported, ///< by this kernel or device
        io           ///< any other error of a system call
    };
    Kind kind = Kind::io;
    std::string what;
};

Error::Kind error_kind(int sys_errno) noexcept;
/// "<where>: <strerror>" with the matching kind.
Error sys_error(int sys_errno, std::string where);

/// A value or an error. Reading the value of a failed Result throws std::bad_variant_access. The plugin catches it in
/// fenced(), so that a bug does not end the daemon. The error of a successful Result is empty.
template<class T, class E = Error> class [[nodiscard]] Result
{
public:
    Result(T value) : v_(std::in_place_index<0>, std::move(value)) {}
    Result(E error) : v_(std::in_place_index<1>, std::move(error)) {}

    explicit operator bool() const noexcept { return v_.index() == 0; }
    T &operator*() & { return std::get<0>(v_); }
    const T &operator*() const & { return std::get<0>(v_); }
    T &&operator*() && { return std::get<0>(std::move(v_)); }
    T *operator->() { return &std::get<0>(v_); }
    const T *operator->() const { return &std::get<0>(v_); }
    /// The Result of `next` with the value, or the error of this one.
    template<class Next> auto and_then(Next next) { return *this ? next(**this) : decltype(next(**this))(error()); }
    template<class Next> auto and_then(Next next) const
    {
        return *this ? next(**this) : decltype(next(**this))(error());
    }
    const E &error() const noexcept
    {
        static const E none;
        const auto *error = std::get_if<1>(&v_);
        return error ? *error : none;
    }

private:
    std::variant<T, E> v_;
};

template<class E> class [[nodiscard]] Result<void, E>
{
public:
    Result() = default;
    Result(E error) : failed_(true), error_(std::move(error)) {}
    explicit operator bool() const noexcept { return !failed_; }
    const E &error() const noexcept { return error_; }

private:
    bool failed_ = false;
    E error_;
};

} // namespace nmib
