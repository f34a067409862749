// SPDX-License-Identifier: LGPL-2.1-or-later
/// sriov, match, hostname, link, prefix-delegation, tc, proxy
#include "cli/kinds.hpp"
#include "cli/list.hpp"
#include "cli/rows.hpp"

namespace nmib::cli
{

namespace
{
const Row sriov_rows[] = {
    {.name = "total-vfs", .kind = &kind::number},
    {.name = "vfs", .kind = &kind::objects, .objects = &kind::vfs},
    {.name = "autoprobe-drivers", .kind = &kind::ternary},
    newer(46, {.name = "eswitch-mode", .kind = &kind::enumeration}),
    newer(46, {.name = "eswitch-inline-mode", .kind = &kind::enumeration}),
    newer(46, {.name = "eswitch-encap-mode", .kind = &kind::enumeration}),
    newer(54, {.name = "preserve-on-down", .kind = &kind::enumeration}),
};

constexpr ListOps escaped(ListOps ops)
{
    ops.escaped = true;
    return ops;
}
constexpr ListOps names =
    escaped(list_ops<nm_setting_match_get_num_interface_names, nm_setting_match_add_interface_name,
                     nm_setting_match_remove_interface_name, nm_setting_match_remove_interface_name_by_value>());
constexpr ListOps command_lines = escaped(
    list_ops<nm_setting_match_get_num_kernel_command_lines, nm_setting_match_add_kernel_command_line,
             nm_setting_match_remove_kernel_command_line, nm_setting_match_remove_kernel_command_line_by_value>());
constexpr ListOps drivers =
    escaped(list_ops<nm_setting_match_get_num_drivers, nm_setting_match_add_driver, nm_setting_match_remove_driver,
                     nm_setting_match_remove_driver_by_value>());
constexpr ListOps paths = escaped(list_ops<nm_setting_match_get_num_paths, nm_setting_match_add_path,
                                           nm_setting_match_remove_path, nm_setting_match_remove_path_by_value>());
const Row match_rows[] = {
    {.name = "interface-name", .kind = &kind::list, .list = &names},
    {.name = "kernel-command-line", .kind = &kind::list, .list = &command_lines},
    {.name = "driver", .kind = &kind::list, .list = &drivers},
    {.name = "path", .kind = &kind::list, .list = &paths},
};

const Row hostname_rows[] = {
    {.name = "priority", .kind = &kind::number},
    {.name = "from-dhcp", .kind = &kind::ternary},
    {.name = "from-dns-lookup", .kind = &kind::ternary},
    {.name = "only-from-default", .kind = &kind::ternary},
};

constexpr Nick link_default[] = {{-1, "default"}};
const Row link_rows[] = {
    newer(44, {.name = "gso-max-segments", .kind = &kind::number, .nicks = link_default}),
    newer(44, {.name = "gso-max-size", .kind = &kind::number, .nicks = link_default}),
    newer(44, {.name = "gro-max-size", .kind = &kind::number, .nicks = link_default}),
    newer(44, {.name = "tx-queue-length", .kind = &kind::number, .nicks = link_default}),
};
GType link_type() { return nm_setting_lookup_type("link"); }

const Row delegation_rows[] = {
    newer(54, {.name = "subnet-id", .kind = &kind::number, .base = 16}),
};
GType delegation_type() { return nm_setting_lookup_type("prefix-delegation"); }

const Row tc_rows[] = {
    {.name = "qdiscs", .kind = &kind::objects, .objects = &kind::qdiscs},
    {.name = "tfilters", .kind = &kind::objects, .objects = &kind::tfilters},
};

const Row proxy_rows[] = {
    {.name = "method",
     .kind = &kind::enumeration,
     .alias = "method",
     .prompt = "Proxy method",
     .hint = "(none/auto) [none]",
     .enum_type = nm_setting_proxy_method_get_type,
     .enum_text = true},
    {.name = "browser-only", .kind = &kind::boolean, .alias = "browser-only", .prompt = "Browser only"},
    {.name = "pac-url", .kind = &kind::text, .alias = "pac-url", .prompt = "PAC URL"},
    {.name = "pac-script", .kind = &kind::pac_script, .alias = "pac-script", .prompt = "PAC script"},
};
void init_proxy(NMSetting *setting) { g_object_set(setting, "method", NM_SETTING_PROXY_METHOD_NONE, nullptr); }
} // namespace

const Group sriov_group{"sriov", "SR-IOV settings", nm_setting_sriov_get_type, sriov_rows};
const Group match_group{"match", "Match", nm_setting_match_get_type, match_rows};
const Group hostname_group{"hostname", "Hostname settings", nm_setting_hostname_get_type, hostname_rows};
const Group link_group{"link", "Link settings", link_type, link_rows, nullptr, version(44)};
const Group delegation_group{
    "prefix-delegation", "Prefix delegation settings", delegation_type, delegation_rows, nullptr, version(54)};
const Group tc_group{"tc", "Traffic controls", nm_setting_tc_config_get_type, tc_rows};
const Group proxy_group{"proxy", "Proxy", nm_setting_proxy_get_type, proxy_rows, init_proxy};

} // namespace nmib::cli
