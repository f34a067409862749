// SPDX-License-Identifier: LGPL-2.1-or-later
/// Short constructors of the values in tests.
#pragma once
#include "core/plan/plan.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace nmib::test
{

inline IfName ifname(std::string_view text) { return IfName::parse(text).value(); }
inline PKey pkey(std::uint32_t value) { return PKey::from(value).value(); }
inline FeatureName feature(std::string_view text) { return FeatureName::parse(text).value(); }
inline const FeatureName tso = feature("tx-tcp-segmentation");

/// The path of a file of the source tree: below $NMIB_SOURCE or the current directory.
std::string source(const char *path);
/// The German text of a message in po/de.po; the message itself if the catalogue lacks it.
const char *german(const char *message);

/// An address with or without the RC bit.
HwAddr address(bool rc_capable);

/// A port's own interface: datagram mode, MTU 2044, up, with carrier.
Link port_link(int ifindex, std::string_view name);
/// The same for a P_Key child.
Link child_link(int ifindex, std::string_view name, int parent, std::uint16_t key);
/// mlx4_0, a ConnectX MT25418 with mlx4_core, with port 1.
RdmaDevice connectx(unsigned pci_revision);
/// A table of P_Keys from index 0.
std::vector<PKeyEntry> pkey_table(const std::vector<PKey> &keys);
/// Its quirk in data/quirks.d.
Quirk lso_quirk();

/// One string for each change, in order: "ib0 mode connected", "ib0 mtu 2044 datagram", "ib0 tx-tcp-segmentation off".
std::vector<std::string> changes(const Plan &plan);
/// The ids of the findings, in order.
std::vector<std::string> codes(const Plan &plan);
/// The whole plan as text, for comparisons.
std::string dump(const Plan &plan);

} // namespace nmib::test
