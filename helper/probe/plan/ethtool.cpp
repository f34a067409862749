// SPDX-License-Identifier: LGPL-2.1-or-later
#include "probe/plan/ethtool.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

namespace nmib
{

namespace
{
/// An ethtool command with a variable tail, aligned for the kernel.
template<class T> class Command
{
public:
    Command(std::uint32_t cmd, std::size_t tail) : buffer_((sizeof(T) + tail + 7) / 8, 0) { get()->cmd = cmd; }
    T *get() noexcept { return reinterpret_cast<T *>(buffer_.data()); }
    T *operator->() noexcept { return get(); }

private:
    std::vector<std::uint64_t> buffer_;
};

/// More than any kernel has; limits the allocation.
constexpr std::size_t most_features = 4096;
constexpr std::size_t words(std::size_t bits) noexcept { return (bits + 31) / 32; }
} // namespace

Result<Ethtool> Ethtool::open()
{
    UniqueFd fd(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    if (!fd) fd = UniqueFd(::socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    if (!fd) return sys_error(errno, "socket for ethtool");
    return Ethtool(std::move(fd));
}

bool Ethtool::call(const IfName &link, void *command) const noexcept
{
    ifreq request{};
    static_assert(sizeof(request.ifr_name) > IfName::max_length);
    link.view().copy(request.ifr_name, IfName::max_length);
    request.ifr_data = static_cast<char *>(command);
    return ::ioctl(fd_.get(), SIOCETHTOOL, &request) >= 0;
}

Result<void> Ethtool::is_still(const IfName &link, int ifindex) const
{
    ifreq request{};
    link.view().copy(request.ifr_name, IfName::max_length);
    if (::ioctl(fd_.get(), SIOCGIFINDEX, &request) != 0) return sys_error(errno, link.str());
    if (request.ifr_ifindex == ifindex) return {};
    return Error{Error::Kind::absent, link.str() + ": the interface was replaced meanwhile"};
}

Result<void> Ethtool::learn_names(const IfName &link)
{
    if (!names_.empty()) return {};
    const auto where = link.str() + ": names of its offload features";
    Command<ethtool_sset_info> info(ETHTOOL_GSSET_INFO, sizeof(std::uint32_t));
    info->sset_mask = 1ULL << ETH_SS_FEATURES;
    if (!call(link, info.get())) return sys_error(errno, where);
    const std::size_t n = info->sset_mask != 0 ? info->data[0] : 0;
    if (n == 0 || n > most_features) return Error{Error::Kind::unsupported, where + ": none"};
    Command<ethtool_gstrings> strings(ETHTOOL_GSTRINGS, n * ETH_GSTRING_LEN);
    strings->string_set = ETH_SS_FEATURES;
    strings->len = static_cast<std::uint32_t>(n);
    if (!call(link, strings.get())) return sys_error(errno, where);
    for (std::size_t i = 0; i < n; i++) {
        const auto *s = reinterpret_cast<const char *>(strings->data) + i * ETH_GSTRING_LEN;
        names_.emplace_back(s, ::strnlen(s, ETH_GSTRING_LEN));
    }
    return {};
}

std::optional<std::size_t> Ethtool::bit(const FeatureName &feature) const noexcept
{
    const auto it = std::find(names_.begin(), names_.end(), feature.view());
    if (it == names_.end()) return std::nullopt;
    return static_cast<std::size_t>(it - names_.begin());
}

Result<std::vector<Feature>> Ethtool::features(const IfName &link, int ifindex, const std::vector<FeatureName> &names)
{
    std::vector<Feature> found;
    if (names.empty()) return found;
    if (auto r = is_still(link, ifindex); !r) return r.error();
    if (auto r = learn_names(link); !r) return r.error();
    const auto n = words(names_.size());
    Command<ethtool_gfeatures> get(ETHTOOL_GFEATURES, n * sizeof(ethtool_get_features_block));
    get->size = static_cast<std::uint32_t>(n);
    if (!call(link, get.get())) return sys_error(errno, link.str() + ": offload features");
    if (auto r = is_still(link, ifindex); !r) return r.error();
    for (const auto &name : names) {
        const auto b = bit(name);
        Feature f{name, false, false, b.has_value()};
        if (b) {
            const auto &block = get->features[*b / 32];
            const auto mask = 1U << (*b % 32);
            f.available = (block.available & ~block.never_changed & mask) != 0;
            f.requested = (block.requested & mask) != 0;
        }
        found.push_back(f);
    }
    return found;
}

Result<void> Ethtool::set(const IfName &link, int ifindex, const FeatureName &feature, bool on)
{
    const auto where = link.str() + ": " + std::string(feature.view()) + (on ? " on" : " off");
    if (auto r = learn_names(link); !r) return r.error();
    const auto b = bit(feature);
    if (!b) return Error{Error::Kind::unsupported, where + ": this kernel has no such feature"};
    const auto n = words(names_.size());
    Command<ethtool_sfeatures> set(ETHTOOL_SFEATURES, n * sizeof(ethtool_set_features_block));
    set->size = static_cast<std::uint32_t>(n);
    set->features[*b / 32].valid = 1U << (*b % 32);
    set->features[*b / 32].requested = on ? 1U << (*b % 32) : 0U;
    if (auto r = is_still(link, ifindex); !r) return r;
    if (!call(link, set.get())) return sys_error(errno, where);
    // ETHTOOL_F_WISH (a positive result) means "not active now", as for TSO in connected mode. Only the request counts.
    const auto now = features(link, ifindex, {feature});
    if (!now) return now.error();
    if (!now->front().available || now->front().requested != on)
        return Error{Error::Kind::refused, where + ": the kernel keeps the other value"};
    return {};
}

bool Ethtool::has_pause(const IfName &link) const noexcept
{
    ethtool_pauseparam pause{};
    pause.cmd = ETHTOOL_GPAUSEPARAM;
    return call(link, &pause) && (pause.rx_pause || pause.tx_pause);
}

} // namespace nmib
