// SPDX-License-Identifier: GPL-2.0-or-later
/// NetworkManager's objects seen as values: GObject properties in, core types out. Every property is looked up and its
/// type compared before it is touched; what is not as expected reads as nothing.
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

    /// Is this an InfiniBand device? The type exists from the first one on.
    static bool is_infiniband(gpointer instance) noexcept;

    /// Has the profile of this active connection opted out? It may be queued still.
    static bool opted_out(gpointer active_connection);

    guint state() const; ///< abi::State, or 0
    /// It waits for something: for its carrier, for one.
    bool is_pending() const;
    bool has_request() const;
    /// The connection whose "changed" announces Reapply; null when it cannot be had.
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
    std::vector<Intent::Asked> features() const;
    NMDevice *device_;
};

} // namespace nmib
