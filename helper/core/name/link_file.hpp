// SPDX-License-Identifier: LGPL-2.1-or-later
/// The .link file of ours that gives one port its name (systemd.link(5)).
#pragma once
#include "core/name/port_match.hpp"
#include "core/name/port_name.hpp"

namespace nmib
{

struct LinkFile {
    PortName name;
    PortMatch match;
};

/// "70-nm-infiniband-mlx4_ib0.link": in front of udev's own 73-usb-net-by-mac.link and 99-default.link.
std::string file_name(const PortName &name);
/// The name in such a file name; nothing when it is not of our form.
std::optional<PortName> name_in(std::string_view file_name);

/// The whole file, with the alternative names of systemd's 99-default.link, which udev no longer reads for this port.
/// What is put into it cannot hold a line break or a bracket: PortName, Guid, IdPath and HwAddr have no
/// such values.
std::string text(const LinkFile &file);
/// Whether a file is as text() made it, by the checksum in its head. It finds a change by hand, not a forger.
bool is_untouched(std::string_view file_text);
/// Whether it says in its head that we wrote it.
bool is_ours(std::string_view file_text);

} // namespace nmib
