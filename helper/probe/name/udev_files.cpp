// SPDX-License-Identifier: LGPL-2.1-or-later
#include "probe/name/udev_files.hpp"

#include "core/name/udev_rule.hpp"
#include "probe/base/dir.hpp"

#include <algorithm>

namespace nmib
{

namespace
{
constexpr std::size_t largest = 1 << 20;

/// Adds the drop-ins of a file. Returns false if udev refuses one of them, and so the file.
Result<bool> add_drop_ins(LinkConfig &config, std::vector<std::string> directories)
{
    for (auto &d : directories) d += "/" + config.file + ".d";
    const auto drop_ins = layered_files(directories, ".conf");
    if (!drop_ins) return drop_ins.error();
    for (const auto &[_, path] : *drop_ins) {
        const auto text = read_layered(path, largest);
        if (!text) return text.error();
        auto more = parse_link_config(*text);
        if (!more) return false;
        for (auto &e : *more) config.entries.push_back(std::move(e));
    }
    return true;
}
} // namespace

Result<std::vector<LinkConfig>> read_link_configs(const std::string &root)
{
    const auto directories = layers_of("systemd/network", root);
    const auto files = layered_files(directories, ".link");
    if (!files) return files.error();
    std::vector<LinkConfig> all;
    for (const auto &[name, path] : *files) {
        auto text = read_layered(path, largest);
        if (!text) return text.error();
        if (text->empty()) continue;
        LinkConfig config{.file = name, .path = path, .text = std::move(*text)};
        auto entries = parse_link_config(config.text);
        if (entries) {
            config.entries = std::move(*entries);
            const auto is_good = add_drop_ins(config, directories);
            if (!is_good) return is_good.error();
            if (!*is_good) config.entries.clear();
        }
        all.push_back(std::move(config));
    }
    return all;
}

namespace
{
/// Returns true for another subsystem, as in old rules that name device nodes.
bool is_for_others(const UdevRule &rule)
{
    const auto *subsystem = rule.matched("SUBSYSTEM");
    return subsystem && subsystem->find_first_of("*?[|") == subsystem->npos && *subsystem != "net";
}

bool reads_link_files(const UdevRule &rule)
{
    return std::any_of(rule.tokens.begin(), rule.tokens.end(), [](const UdevRule::Token &t) {
        return t.key == "IMPORT" && t.attribute == "builtin" && t.value == "net_setup_link";
    });
}

bool runs_rdma_rename(const UdevRule &rule)
{
    return std::any_of(rule.tokens.begin(), rule.tokens.end(),
                       [](const UdevRule::Token &t) { return t.value.find("rdma_rename") != t.value.npos; });
}
} // namespace

Result<void> read_udev_rules(NamingWorld &world, const std::string &root)
{
    world.rules.clear();
    world.link_files_off.clear();
    world.rdma_rules.clear();
    world.earlier_renames.clear();
    const auto files = layered_files(layers_of("udev/rules.d", root), ".rules");
    if (!files) return files.error();
    for (const auto &[file, path] : *files) {
        const auto text = read_layered(path, largest);
        if (!text) return text.error();
        const auto rules = parse_udev_rules(*text);
        if (file == "80-net-setup-link.rules" && std::none_of(rules.begin(), rules.end(), reads_link_files))
            world.link_files_off = path;
        if (const auto name = rdma_name_in(file))
            world.rdma_rules.push_back({file, path, *text, *name, node_of(*text)});
        for (const auto &rule : rules) {
            if (file < rdma_rules_prefix && runs_rdma_rename(rule))
                world.earlier_renames.push_back(path + ":" + std::to_string(rule.last_line));
            const auto *name = rule.name();
            if (!name || *name == "$env{ID_NET_NAME}" || is_for_others(rule)) continue;
            NameRule found{.path = path, .line = rule.last_line, .name = *name};
            for (const auto &port : world.ports) found.verdicts.push_back(matches(rule, port));
            world.rules.push_back(std::move(found));
        }
    }
    return {};
}

Result<std::vector<FragileFile>> read_fragile(std::span<const LinkConfig> configs, const std::string &root)
{
    std::vector<FragileFile> all;
    const std::string directory[] = {root + "/etc/udev/rules.d"};
    const auto files = layered_files(directory, ".rules");
    if (!files) return files.error();
    for (const auto &[_, path] : *files) {
        auto text = read_layered(path, largest);
        if (!text) return text.error();
        auto names = fragile_rules(*text);
        if (!names.empty()) all.push_back({true, path, std::move(*text), std::move(names)});
    }
    for (const auto &config : configs)
        if (auto name = fragile_name(config)) all.push_back({false, config.path, config.text, {std::move(*name)}});
    return all;
}

} // namespace nmib
