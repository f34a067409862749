// SPDX-License-Identifier: LGPL-2.1-or-later
/// Makes list operations of libnm's functions, whatever setting and integer types they take.
#pragma once
#include "cli/row.hpp"

namespace nmib::cli
{

namespace detail
{
template<auto F> struct Call;
template<class R, class T, class... A, R (*F)(T *, A...)> struct Call<F> {
    template<class... B> static R with(NMSetting *setting, B... b)
    {
        return F(reinterpret_cast<T *>(setting), static_cast<A>(b)...);
    }
};
} // namespace detail

/// Calls a libnm function on a setting of the type it wants.
template<auto F, class... B> auto call(NMSetting *setting, B... b) { return detail::Call<F>::with(setting, b...); }

template<auto Count, auto Add, auto RemoveIndex, auto RemoveValue> constexpr ListOps list_ops()
{
    return {.count = [](NMSetting *s) -> std::size_t { return call<Count>(s); },
            .add = [](NMSetting *s, const char *item) { (void)call<Add>(s, item); },
            .remove_index = [](NMSetting *s, std::size_t i) { (void)call<RemoveIndex>(s, i); },
            .remove_value = [](NMSetting *s, const char *item) { (void)call<RemoveValue>(s, item); }};
}

} // namespace nmib::cli
