// SPDX-License-Identifier: LGPL-2.1-or-later
/// Owners of objects and memory from GLib.
#pragma once
#include <gio/gio.h>
#include <memory>
#include <string>

namespace nmib::cli
{

template<auto F> struct Freer {
    template<class T> void operator()(T *p) const noexcept { F(p); }
};
template<class T> using Object = std::unique_ptr<T, Freer<g_object_unref>>;
using Variant = std::unique_ptr<GVariant, Freer<g_variant_unref>>;
using Text = std::unique_ptr<char, Freer<g_free>>;
using KeyFile = std::unique_ptr<GKeyFile, Freer<g_key_file_unref>>;

inline std::string str(const char *text) { return text ? text : ""; }

/// The `GError **` argument of a call. The next use and the destructor free the error.
class GErrorSlot
{
public:
    GErrorSlot() = default;
    GErrorSlot(const GErrorSlot &) = delete;
    GErrorSlot &operator=(const GErrorSlot &) = delete;
    ~GErrorSlot() { g_clear_error(&e_); }
    operator GError **()
    {
        g_clear_error(&e_);
        return &e_;
    }
    const GError *get() const noexcept { return e_; }
    std::string message() const { return e_ ? e_->message : ""; }

private:
    GError *e_ = nullptr;
};

class Value
{
public:
    explicit Value(GType type) { g_value_init(&v_, type); }
    Value(const Value &) = delete;
    Value &operator=(const Value &) = delete;
    ~Value() { g_value_unset(&v_); }
    GValue *get() noexcept { return &v_; }

private:
    GValue v_ = G_VALUE_INIT;
};

} // namespace nmib::cli
