// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/daemon/keyfiles.hpp"
#include "cli/base/profile.hpp"
#include "cli/doctor/doctor.hpp"
#include "probe/base/dir.hpp"
#include "probe/base/keyfile.hpp"

#include <algorithm>
#include <set>
#include <sys/stat.h>

namespace nmib::cli
{

namespace
{
using Why = StrayFile::Why;

bool is_private(const std::string &path)
{
    struct stat st {
    };
    return ::stat(path.c_str(), &st) == 0 && st.st_uid == 0 && (st.st_mode & 077) == 0;
}

/// By its type, or by an address of 20 bytes in a profile of another type.
bool is_about_infiniband(const std::string &text)
{
    constexpr std::string_view key = "mac-address=";
    const auto at = text.find(key);
    return text.find("infiniband") != text.npos ||
           (at != text.npos &&
            HwAddr::parse(trim(text.substr(at + key.size(), text.find('\n', at) - at - key.size()))));
}

/// A file without a name or a type of its own is completed before it is judged.
StrayFile judge(const std::string &path, const std::string &text)
{
    if (!is_private(path)) return {Why::permissions, path};
    const auto profile = parse_keyfile(text);
    if (!profile) return {Why::broken, path, profile.error().what};
    const auto whole = normalized(profile->get());
    return whole ? StrayFile{Why::not_loaded, path} : StrayFile{Why::broken, path, whole.error().what};
}

/// `nmcli connection delete` hides a file that it cannot remove by such a link (nms-keyfile-utils.c).
bool is_buried(const std::string &uuid)
{
    for (const auto &place : profile_directories()) {
        const auto dir = Dir::open(place);
        if (dir && dir->symlink_target(uuid + ".nmmeta")) return true;
    }
    return false;
}
} // namespace

std::vector<StrayFile> look_at_keyfiles(const Daemon &daemon, const Words &loaded)
{
    std::vector<StrayFile> all;
    std::set<std::string> seen; // UUIDs: earlier directories win
    for (const auto &place : profile_directories()) {
        const auto dir = Dir::open(place);
        const auto names = dir ? dir->list() : Result<Words>(dir.error());
        for (const auto &name : names ? *names : Words{}) {
            const auto path = place + "/" + name;
            if (!is_keyfile_name(place, name)) continue;
            if (std::find(loaded.begin(), loaded.end(), path) != loaded.end()) continue;
            const auto text = dir->read(name, 1U << 20);
            if (!text || !is_about_infiniband(*text)) continue;
            const auto file = Keyfile::parse(*text, path);
            const auto uuid = file ? file->get("connection", "uuid").value_or("") : "";
            if (!uuid.empty() && (!seen.insert(uuid).second || daemon.path_of(uuid) || is_buried(uuid))) continue;
            all.push_back(judge(path, *text));
        }
    }
    return all;
}

} // namespace nmib::cli
