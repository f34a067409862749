// SPDX-License-Identifier: LGPL-2.1-or-later
#include "probe/name/link_configs.hpp"

#include "probe/base/layers.hpp"

namespace nmib
{

namespace
{
constexpr std::size_t largest = 1 << 20;

/// Adds the drop-ins of a file. False when udev refuses one of them, and with it the file.
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

} // namespace nmib
