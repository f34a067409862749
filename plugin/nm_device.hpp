// SPDX-License-Identifier: GPL-2.0-or-later
/// NetworkManager's objects seen as values: GObject properties in, core types out. Every property is looked up and its
/// type compared before it is touched; what is not as expected reads as nothing.
#pragma once
#include "abi.hpp"
#include "core/intent.hpp"

namespace nmib
{

/// An NMDevice, not owned.
class NmDevice
{
public:
    explicit NmDevice(NMDevice *device) noexcept : device_(device) {}
    NMDevice *get() const noexcept { return device_; }
    GObject *object() const noexcept { return reinterpret_cast<GObject *>(device_); }

    /// Is this an InfiniBand device? The type exists from the first one on.
    static bool is_infiniband(gpointer instance) noexcept;

    int ifindex() const; ///< 0 when there is no interface behind the device
    std::string name() const;
    std::string profile_uuid() const;
    guint state() const;  ///< abi::State, or 0
    bool carrier() const; ///< as NetworkManager believes
    /// It waits for something: for its carrier, for one.
    bool is_pending() const;
    bool has_request() const;
    /// No profile is being activated by NetworkManager here: shown only, or it cannot be told.
    bool hands_off() const;
    /// The connection whose "changed" tells of Reapply; null when it cannot be had.
    GObject *applied() const;

    /// What the applied connection asks; nothing when it is no InfiniBand profile. `features` are those of the
    /// profile's file, which is what nobody can read over the daemon's exported functions.
    std::optional<Intent> intent() const;

    /// Edits of the applied connection, which is the activation's own copy of the profile. False when there is no such
    /// thing to edit.
    bool set_mode(const std::string &word);
    bool set_mtu(Mtu mtu);
    std::optional<std::string> mode() const;
    std::optional<Mtu> mtu() const; ///< 0: automatic
    /// The same as the stored profile has it; nothing when it is in memory only, or in a form that is not read here.
    std::optional<Mtu> stored_mtu() const;

private:
    GObject *setting(const char *type_name) const;
    std::vector<Intent::Asked> features() const;
    bool opted_out() const;
    std::optional<std::string> profile_file() const;
    NMDevice *device_;
};

} // namespace nmib
