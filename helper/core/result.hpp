// SPDX-License-Identifier: LGPL-2.1-or-later
/// A value, or the one line that says why there is none. Used wherever a module's face can fail; nothing is thrown.
#pragma once
#include <cassert>
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

template<class T> class [[nodiscard]] Result
{
public:
    Result(T value) : v_(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : v_(std::in_place_index<1>, std::move(error)) {}

    explicit operator bool() const noexcept { return v_.index() == 0; }
    T &operator*() & { return *get(); }
    const T &operator*() const & { return *get(); }
    T &&operator*() && { return std::move(*get()); }
    T *operator->() { return get(); }
    const T *operator->() const { return get(); }
    const Error &error() const
    {
        assert(!*this);
        return *std::get_if<1>(&v_);
    }

private:
    T *get()
    {
        assert(*this);
        return std::get_if<0>(&v_);
    }
    const T *get() const
    {
        assert(*this);
        return std::get_if<0>(&v_);
    }
    std::variant<T, Error> v_;
};

template<> class [[nodiscard]] Result<void>
{
public:
    Result() = default;
    Result(Error error) : failed_(true), error_(std::move(error)) {}
    explicit operator bool() const noexcept { return !failed_; }
    const Error &error() const
    {
        assert(failed_);
        return error_;
    }

private:
    bool failed_ = false;
    Error error_;
};

} // namespace nmib
