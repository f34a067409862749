// SPDX-License-Identifier: LGPL-2.1-or-later
#include "probe/plan/profile.hpp"

#include "core/base/text.hpp"
#include "probe/base/dir.hpp"
#include "probe/base/ifcfg.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdlib>

namespace nmib
{

namespace
{
/// The features of NetworkManager's "tso" (nm-ethtool-utils-base, nmp-ethtool.c).
constexpr std::array<std::string_view, 4> tso = {"tx-tcp-segmentation", "tx-tcp-ecn-segmentation",
                                                 "tx-tcp-mangleid-segmentation", "tx-tcp6-segmentation"};

std::vector<Intent::Asked> features(const Keyfile &file)
{
    std::vector<Intent::Asked> asked;
    constexpr std::string_view prefix = "feature-";
    for (const auto &key : file.keys("ethtool")) {
        const auto on = Keyfile::boolean(file.get("ethtool", key).value_or(""));
        if (!key.starts_with(prefix) || !on) continue;
        const auto name = key.substr(prefix.size());
        auto ask = [&](std::string_view feature) {
            if (const auto f = FeatureName::parse(feature)) asked.push_back({*f, *on});
        };
        if (name == "tso")
            std::for_each(tso.begin(), tso.end(), ask);
        else
            ask(name);
    }
    return asked;
}

/// Returns true if only some users may use the profile. An invalid value counts as permissions.
bool is_private(const Keyfile &file)
{
    const auto keys = file.keys("connection");
    return std::find(keys.begin(), keys.end(), "permissions") != keys.end() &&
           file.get("connection", "permissions").value_or("?").find_first_not_of("; ") != std::string::npos;
}

Result<std::string> read_text(const std::string &path)
{
    if (path.empty() || path[0] != '/')
        return Error{Error::Kind::invalid, "profile file '" + path + "': not an absolute path"};
    // Like NetworkManager, follows links. The target's owner and permissions count.
    char real[PATH_MAX]; // std::filesystem would add half of iostream to every program
    if (!::realpath(path.c_str(), real)) return sys_error(errno, path);
    return read_file(real, 1 << 20, /*trusted=*/true);
}
} // namespace

Result<Profile> parse_profile(const Keyfile &file, const std::string &name)
{
    const auto bad = [&](const std::string &key, const std::string &value) {
        return Error{Error::Kind::invalid, printable(name + ": infiniband." + key + "=" + value + " is not valid")};
    };
    Profile p;
    p.id = file.get("connection", "id").value_or("");
    p.uuid = file.get("connection", "uuid").value_or("");
    p.infiniband = file.get("connection", "type") == "infiniband";
    p.generated = Keyfile::boolean(file.get(".nmmeta", "nm-generated").value_or("")).value_or(false);
    p.intent.profile = p.id;
    p.intent.features = features(file);
    p.is_private = is_private(file);
    if (!p.infiniband) return p;

    p.intent.anywhere = file.get("connection", "interface-name").value_or("").empty();
    for (const auto &key : file.keys("infiniband"))
        if (!file.get("infiniband", key)) return bad(key, "(not valid text)");
    const auto mode = file.get("infiniband", "transport-mode").value_or("");
    p.intent.mode = parse_mode(mode);
    if (!p.intent.mode) return bad("transport-mode", mode);
    const auto mtu = file.get("infiniband", "mtu").value_or("0");
    const auto value = parse_decimal(trim(mtu), UINT32_MAX);
    if (!value) return bad("mtu", mtu);
    p.intent.mtu = static_cast<Mtu>(std::min<std::uint64_t>(*value, mtu::connected_maximum));
    if (const auto key = file.get("infiniband", "p-key"); key && trim(*key) != "-1") {
        const auto v = parse_number(trim(*key), 0xffff);
        if (!v || !PKey::from(static_cast<std::uint32_t>(*v))) return bad("p-key", *key);
        p.intent.p_key = static_cast<std::uint16_t>(*v);
    }
    if (const auto parent = file.get("infiniband", "parent"); parent && !parent->empty()) {
        p.intent.parent = IfName::parse(*parent);
        if (!p.intent.parent) return bad("parent", *parent);
    }
    return p;
}

Result<Profile> read_profile(const std::string &path)
{
    const auto text = read_text(path);
    if (!text) return text.error();
    const auto file =
        split_path(path).first == ifcfg_directory ? parse_ifcfg(*text, path) : Keyfile::parse(*text, path);
    if (!file) return file.error();
    return parse_profile(*file, path);
}

} // namespace nmib
