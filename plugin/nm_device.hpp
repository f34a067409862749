// SPDX-License-Identifier: GPL-2.0-or-later
/// NetworkManager's objects as values: reads GObject properties, returns core types. A property that is missing or has
/// an unexpected type reads as nothing.
#pragma once
#include "abi.hpp"
#include "activation.hpp"

namespace nmib
{

/// An NMDevice, not owned.
class NmDevice final : public ActiveDevice
{
public:
    explicit NmDevice(NMDevice *device) noexcept : device_(device) {}
    NMDevice *get() const noexcept { return device_; }
    GObject *object() const noexcept { return reinterpret_cast<GObject *>(device_); }

    /// Returns true for an InfiniBand device. The GType exists from the first InfiniBand device on.
    static bool is_infiniband(gpointer instance) noexcept;

    /// Returns true if the profile of this active connection opted out. The activation may still be queued.
    static bool opted_out(gpointer active_connection);

    guint state() const; ///< abi::State, or 0
    /// Returns true if the device waits, for example for a carrier.
    bool is_pending() const;
    bool has_request() const;
    /// Returns the connection whose signal "changed" announces Reapply; null if the daemon does not export it.
    GObject *applied() const;

    int ifindex() const override;
    std::string name() const override;
    std::string profile_uuid() const override;
    bool carrier() const override;
    bool hands_off() const override;
    std::optional<Intent> intent() const override;
    std::optional<std::string> mode() const override;
    bool set_mode(const std::string &word) override;

private:
    GObject *setting(const char *type_name) const;
    /// Returns true if the daemon applies the stored profile itself, not a copy: a change here would change the
    /// profile.
    bool applies_stored() const;
    NMDevice *device_;
};

} // namespace nmib
