// SPDX-License-Identifier: LGPL-2.1-or-later
/// host opensm GUID... [priority N]|default
#include "core/host/opensm.hpp"

#include "cli/host/hardware.hpp"
#include "cli/host/units.hpp"
#include "cli/host/writing.hpp"
#include "core/number.hpp"
#include "core/printable.hpp"

#include <algorithm>

namespace nmib::cli
{

namespace
{
const RdmaPort *find(const std::vector<RdmaDevice> &devices, Guid guid)
{
    for (const auto &device : devices)
        for (const auto &port : device.ports)
            if (port.guid && *port.guid == guid) return &port;
    return nullptr;
}

Result<OpensmSetting> parse(Words words, const std::vector<RdmaDevice> &devices)
{
    OpensmSetting setting;
    if (const auto at = std::find(words.begin(), words.end(), "priority"); at != words.end()) {
        const auto number =
            words.end() - at == 2 ? parse_decimal(at[1], highest_sm_priority) : std::optional<std::uint64_t>{};
        if (!number) return bad(form(_("priority takes one number, 0 to %u, behind the GUIDs"), highest_sm_priority));
        setting.priority = static_cast<unsigned>(*number);
        words.erase(at, words.end());
    }
    for (const auto &word : words) {
        const auto guid = Guid::parse(word);
        if (!guid || guid->value == 0)
            return bad(form(_("'%s' is no GUID of a port; to see them: nm-ib -f PORT.GUID port show"),
                            printable(word).c_str()));
        if (!find(devices, *guid))
            return bad(form(_("no InfiniBand port of this machine has the GUID %s; to see them: nm-ib -f PORT.GUID "
                              "port show"),
                            hex(guid->value, 16).c_str()));
        if (std::find(setting.ports.begin(), setting.ports.end(), *guid) == setting.ports.end())
            setting.ports.push_back(*guid);
    }
    if (setting.ports.empty()) return bad(_("the GUID of at least one port is needed"));
    return setting;
}

/// Where the ports say that a subnet manager runs on them.
Words running(const std::vector<RdmaDevice> &devices)
{
    Words all;
    for (const auto &device : devices)
        for (const auto &port : device.ports)
            if (port.has_sm() && port.guid) all.push_back(hex(port.guid->value, 16));
    return all;
}
} // namespace

std::optional<Failure> host_opensm(const HostRequest &request)
{
    HostPlan plan{.noun = "opensm", .setting = "opensm " + printable(join(request.words, " "))};
    plan.units = true;
    plan.is_default = request.words == Words{"default"};
    if (plan.is_default) {
        plan.files = opensm_places();
    } else {
        const auto devices = look_at_devices();
        if (!devices) return host_failed(devices.error().what);
        const auto setting = parse(request.words, *devices);
        if (!setting) return host_refused(setting.error().what);
        if (!has_unit_file("opensm.service"))
            return host_failed(_("there is no opensm.service; the package is called opensm"));
        plan.files = opensm_files(*setting, has_unit_file("opensm@.service"));
    }
    plan.after = [&](bool changed) -> Result<Words> {
        const auto devices = look_at_devices();
        if (!devices) return devices.error();
        const auto now = running(*devices);
        const auto said = now.empty() ? std::string(_("none")) : join(now, ", ");
        if (!changed) return Words{form(_("Ports on which a subnet manager runs: %s"), said.c_str())};
        return Words{
            form(_("Ports on which a subnet manager runs: %s; as set after: systemctl restart opensm"), said.c_str())};
    };
    return carry_out(request, plan);
}

} // namespace nmib::cli
