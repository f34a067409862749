// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/name/rdma_rule.hpp"

#include "core/base/text.hpp"
#include "core/name/udev_rule.hpp"

namespace nmib
{

namespace
{
constexpr std::string_view prefix = rdma_rules_prefix, suffix = ".rules";
constexpr std::string_view rdma_core_names =
    "ib[Popsx][0-9a-f]*|roce[Popsx][0-9a-f]*|iw[Popsx][0-9a-f]*|rdma[Popsx][0-9a-f]*";

bool is_rdma_cores(std::string_view name)
{
    for (const std::string_view type : {"ib", "roce", "iw", "rdma"})
        if (name.starts_with(type) && name.size() > type.size() + 1 &&
            std::string_view("Popsx").find(name[type.size()]) != name.npos)
            return parse_hex(name.substr(type.size() + 1, 1), 15).has_value();
    return false;
}

bool is_kernels(std::string_view name)
{
    const auto line = name.rfind('_');
    return line != name.npos && parse_decimal(name.substr(line + 1), UINT32_MAX).has_value();
}
} // namespace

std::string rdma_rule_file(const PortName &name) { return std::string(prefix) + name.str() + std::string(suffix); }

std::optional<PortName> rdma_name_in(std::string_view file)
{
    if (!file.starts_with(prefix) || !file.ends_with(suffix) || file.size() < prefix.size() + suffix.size()) return {};
    return PortName::parse(file.substr(prefix.size(), file.size() - prefix.size() - suffix.size()));
}

std::string rdma_rule_text(const PortName &name, const Guid &node)
{
    const auto called = name.str();
    const auto rename =
        "ATTR{node_guid}==\"" + node.str() + "\", PROGRAM=\"rdma_rename %k NAME_FIXED " + called + "\"\n";
    return with_checksum("# Written by nm-ib: the RDMA device with node GUID " + node.str() + " is called " + called +
                             ".\n# To take this away: nm-ib name unset " + called + " --rdma\n",
                         "\nACTION==\"add\", SUBSYSTEM==\"infiniband\", KERNEL!=\"" + called + "\", " + rename +
                             "# After another \"add\", rdma-core's rule takes the name away.\n"
                             "ACTION==\"move\", SUBSYSTEM==\"infiniband\", ENV{DEVPATH_OLD}==\"*/" +
                             called + "\", KERNEL==\"" + std::string(rdma_core_names) + "\", " + rename);
}

std::optional<Guid> node_of(std::string_view rules)
{
    std::optional<Guid> node;
    for (const auto &rule : parse_udev_rules(rules)) {
        const auto *guid = rule.matched("ATTR", "node_guid");
        const auto parsed = guid ? Guid::parse(*guid) : std::nullopt;
        if (!parsed || (node && *node != *parsed)) return {};
        node = parsed;
    }
    return node;
}

std::string rdma_name_fault(std::string_view name, Translate translate)
{
    const auto *fault = !PortName::parse(name)
                            ? N_("'{name}' is not a name for an RDMA device: a name has 1 to 15 letters, digits, '_', "
                                 "'-' and '.', and begins with a letter, a digit or '_'")
                        : is_kernels(name) || is_rdma_cores(name)
                            ? N_("'{name}' looks like a name from the kernel (mlx5_0) or rdma-core (ibp5s0), which "
                                 "another RDMA device may get. Use another name")
                            : "";
    return message(translate, fault, fmt::arg("name", printable(name)));
}

} // namespace nmib
