// SPDX-License-Identifier: LGPL-2.1-or-later
#include "verbs/doctor/look.hpp"

#include "core/base/text.hpp"
#include "nm/profile.hpp"
#include "nm/profiles.hpp"
#include "probe/base/dir.hpp"
#include "probe/base/keyfile.hpp"
#include "probe/base/rdma_netlink.hpp"
#include "probe/doctor/host.hpp"
#include "probe/host/modules.hpp"
#include "probe/rdma/facts.hpp"
#include "verbs/doctor/counter_samples.hpp"
#include "verbs/doctor/dcb.hpp"
#include "verbs/doctor/profiles.hpp"
#include "verbs/doctor/services.hpp"
#include "verbs/host/host.hpp"
#include "verbs/name/name_files.hpp"

#include <algorithm>
#include <map>
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

/// By type, or by an address of 20 bytes in a profile of another type.
bool is_about_infiniband(const std::string &text)
{
    constexpr std::string_view key = "mac-address=";
    const auto at = text.find(key);
    return text.find("infiniband") != text.npos ||
           (at != text.npos &&
            HwAddr::parse(trim(text.substr(at + key.size(), text.find('\n', at) - at - key.size()))));
}

/// Completes a missing name or type before the check.
StrayFile judge(const std::string &path, const std::string &text)
{
    if (!is_private(path)) return {Why::permissions, path};
    const auto profile = parse_keyfile(text);
    if (!profile) return {Why::broken, path, profile.error().what};
    const auto whole = normalized(profile->get());
    return whole ? StrayFile{Why::not_loaded, path} : StrayFile{Why::broken, path, whole.error().what};
}

/// If `nmcli connection delete` cannot remove a file, it hides the file with this symlink (nms-keyfile-utils.c).
bool is_buried(const std::string &uuid)
{
    for (const auto &place : profile_directories()) {
        const auto dir = Dir::open(place);
        if (dir && dir->symlink_target(uuid + ".nmmeta")) return true;
    }
    return false;
}

/// Returns keyfiles about InfiniBand that the daemon has not loaded, or that are invalid now. Skips unloaded files
/// whose UUID another profile has, or that a tombstone hides. `loaded`: the files of the daemon's profiles.
std::vector<StrayFile> look_at_keyfiles(const Daemon &daemon, const Words &loaded)
{
    std::vector<StrayFile> all;
    std::set<std::string> seen; // UUIDs: earlier directories win
    for (const auto &place : profile_directories()) {
        const auto dir = Dir::open(place);
        const auto names = dir.and_then([](auto &d) { return d.list(); });
        for (const auto &name : names ? *names : Words{}) {
            const auto path = place + "/" + name;
            if (!is_keyfile_name(place, name)) continue;
            const auto text = dir->read(name, 1U << 20);
            if (!text || !is_about_infiniband(*text)) continue;
            if (std::find(loaded.begin(), loaded.end(), path) != loaded.end()) { // may have changed since
                if (auto now = judge(path, *text); now.why != Why::not_loaded) all.push_back(std::move(now));
                continue;
            }
            const auto file = Keyfile::parse(*text, path);
            const auto uuid = file ? file->get("connection", "uuid").value_or("") : "";
            if (!uuid.empty() && (!seen.insert(uuid).second || daemon.path_of(uuid) || is_buried(uuid))) continue;
            all.push_back(judge(path, *text));
        }
    }
    return all;
}

std::set<std::string> wanted(const Inventory &all, bool has_daemon, const std::vector<ProfileState> &profiles)
{
    std::set<std::string> names;
    for (const auto &p : profiles)
        if (p.type == ProfileState::Type::infiniband && !p.interface.empty()) names.insert(p.interface);
    if (!has_daemon)
        each_interface(all, [&](const RdmaPort &, const PortNetdev &n) {
            if (n.up) names.insert(n.name.str());
        });
    return names;
}

void read_networks_of(const Inventory &all, Host &host)
{
    const auto proc = Dir::open("/proc");
    Words names;
    std::map<std::string, std::string> uuids; // of the active profiles, by interface
    each_interface(all, [&](const RdmaPort &, const PortNetdev &n) {
        if (n.infiniband && n.up) names.push_back(n.name.str());
        if (const auto *state = all.state_of(n)) uuids[n.name.str()] = state->uuid;
    });
    if (!proc) return;
    if (auto networks = read_networks(*proc, names)) host.networks = std::move(*networks);
    for (auto &n : host.networks) n.uuid = uuids[n.interface];
}

void read_modules(const Dir &sysfs, Host &host)
{
    host.bare_functions = bare_functions(sysfs);
    host.unbound_functions = unbound_functions(sysfs);
    const auto vendor = sysfs.exists("module/mlx_compat");
    host.has_vendor_stack = vendor && *vendor;
    const auto dev = Dir::open("/dev"), root = Dir::open("/");
    if (dev) host.missing_nodes = missing_verbs_nodes(sysfs, *dev);
    if (!root) return;
    host.missing_providers = missing_verbs_providers(sysfs, *root);
    host.has_verbs_library = has_library(*root, "libibverbs.so.1");
    host.has_cm_library = has_library(*root, "librdmacm.so.1");
    host.container = container_of(*root);
}

/// Files are named by the UUID of their profile.
void read_words(const Daemon &daemon, Host &host)
{
    const auto dir = Dir::open(words_directory);
    const auto uuids = dir.and_then([](auto &d) { return d.list(); });
    for (const auto &uuid : uuids ? *uuids : Words{}) {
        const auto profile = daemon.path_of(uuid);
        if (!uuid.starts_with('.') && !profile && profile.error().kind == Error::Kind::absent)
            host.files.push_back({StrayFile::Why::no_profile, std::string(words_directory) + "/" + uuid});
    }
}

void read_files(const Daemon *daemon, const Inventory &all, Host &host)
{
    Words loaded;
    const auto paths = daemon ? daemon->profile_paths() : Result<Words>(Error{});
    if (paths) {
        loaded = daemon->ask_files(*paths);
        host.files = look_at_keyfiles(*daemon, loaded);
        read_words(*daemon, host);
    }
    std::set<std::string> interfaces;
    each_interface(all, [&](const RdmaPort &, const PortNetdev &n) {
        if (n.infiniband) interfaces.insert(n.name.str());
    });
    const auto etc = Dir::open("/etc"), proc = Dir::open("/proc"), usr = Dir::open("/usr");
    if (etc && proc && usr)
        for (auto &f : stray_files(*etc, *proc, *usr, interfaces, {loaded.begin(), loaded.end()}))
            if (f.why != StrayFile::Why::ifcfg_unread || paths) host.files.push_back(std::move(f));
}

Result<void> keep_profiles(const std::string &word, Inventory &all, std::vector<ProfileState> &profiles)
{
    std::erase_if(profiles, [&](const ProfileState &p) { return p.id != word && p.uuid != word; });
    if (profiles.empty())
        return Error{Error::Kind::absent, form("{}: no such port, interface of a port, or profile\n"
                                               "To list the ports:\n"
                                               "  nm-ib port",
                                               printable(word))};
    Words interfaces;
    for (const auto &p : profiles) interfaces.push_back(p.interface);
    if (!keep(all, interfaces)) all.devices.clear(); // the interfaces do not exist
    return {};
}

/// Keeps the ports that the word matches, with their profiles; otherwise the matching profiles, with their ports.
Result<void> keep_only(const std::string &word, Inventory &all, Host &host)
{
    host.named = true;
    if (!keep(all, {word})) return keep_profiles(word, all, host.profiles);
    std::set<std::string> names;
    each_interface(all, [&](const RdmaPort &, const PortNetdev &n) { names.insert(n.name.str()); });
    std::erase_if(host.profiles, [&](const ProfileState &p) { return !names.contains(p.interface); });
    return {};
}
} // namespace

Result<Host> look_at_machine(const std::string &word)
{
    const auto sysfs = Dir::open("/sys");
    if (!sysfs) return sysfs.error();
    auto all = take_inventory(Depth::fabric);
    if (!all) return all.error();
    const auto connected = Daemon::connect();
    const auto *daemon = connected ? &*connected : nullptr;
    Host host{.kernel = kernel_release(), .exclusive_devices = has_exclusive_devices()};
    const Words modules{"ib_ipoib", "ib_umad", "ib_uverbs", "rdma_ucm", "mlx4_ib", "mlx5_ib", "mlx4_core", "mlx5_core"};
    host.modules = module_states(*sysfs, Dir::open("/lib/modules"), host.kernel, modules);
    host.counters = read_and_keep_samples(all->devices);
    host.has_device = !all->devices.empty();
    host.has_opensm = has_unit_file("opensm.service");
    host.has_daemon = daemon != nullptr;
    if (daemon) host.profiles = look_at_profiles(*daemon, *all);
    host.wanted = wanted(*all, daemon, host.profiles);
    if (auto world = read_naming_world())
        host.naming = std::make_shared<NamingWorld>(std::move(*world));
    else
        host.naming_error = world.error().what;
    if (word.empty()) {
        read_modules(*sysfs, host);
        read_files(daemon, *all, host);
        host.services = look_at_services(daemon, *all);
    } else {
        if (auto log = read_kernel_log()) host.services.log = std::move(*log);
        host.others = all->devices;
        if (const auto kept = keep_only(word, *all, host); !kept) return kept.error();
        for (const auto &device : all->devices) // a card may have a port that was kept, and another
            for (auto &other : host.others)
                if (other.name == device.name)
                    std::erase_if(other.ports, [&](const RdmaPort &p) {
                        return std::any_of(device.ports.begin(), device.ports.end(),
                                           [&](const RdmaPort &kept) { return kept.number == p.number; });
                    });
        std::erase_if(host.others, [](const RdmaDevice &d) { return d.ports.empty(); });
    }
    read_networks_of(*all, host);
    for (const auto &p : host.profiles)
        if (const auto name = IfName::parse(p.interface); name && p.roce_tos) host.dcb[p.interface] = read_dcb(*name);
    host.devices = std::move(all->devices);
    return host;
}

} // namespace nmib::cli
