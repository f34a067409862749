// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once
#include "core/result.hpp"

namespace nmib
{

/// A value that was looked for: it, or why it is not known. An error of kind `absent` says that the thing has none.
template<class T> class Read : public Result<T>
{
public:
    Read() : Result<T>(Error{Error::Kind::absent, {}}) {}
    Read(T value) : Result<T>(std::move(value)) {}
    Read(Error error) : Result<T>(std::move(error)) {}
    Read(Result<T> result) : Result<T>(std::move(result)) {}

    /// It is there, and could not be read.
    bool failed() const noexcept { return !*this && this->error().kind != Error::Kind::absent; }
};

} // namespace nmib
