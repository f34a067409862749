// SPDX-License-Identifier: LGPL-2.1-or-later
/// Which ports of which hosts belong together.
#pragma once
#include "core/merge/differing.hpp"
#include "core/merge/host_report.hpp"

#include <cstdint>

namespace nmib::merging
{

/// A port, of a card, of a host.
struct PortOf {
    std::string host{}; ///< how to call it: its name, with the file where two hosts have one name
    const RdmaDevice *device = nullptr;
    const RdmaPort *port = nullptr;
    std::string str() const { return host + " " + device->label(*port); }
};

/// What most fabrics leave as it is (InfiniBand Architecture, volume 1, 4.1.3): it tells no two apart.
constexpr std::uint64_t default_prefix = 0xfe80000000000000;

/// Active ports with one subnet prefix; where it is the default one, also with one SM LID.
struct Subnet {
    std::uint64_t prefix = 0;
    unsigned sm_lid = 0;         ///< of the first port
    std::vector<PortOf> ports{}; ///< in the order of the hosts
    /// Two cards' ports that have one LID: these are several fabrics that look alike, and nothing tells which port is
    /// in which. What would be compared in one subnet is not.
    std::optional<std::pair<PortOf, PortOf>> alike{};
    std::string str() const; ///< "0xfe80000000000000 (SM LID 1)"
};

/// What all hosts told, put in order.
class Fabric
{
public:
    /// Keeps pointers into `reports`.
    Fabric(const std::vector<HostReport> &reports, Translate catalogue);

    std::size_t hosts() const noexcept { return hosts_; }
    const std::vector<PortOf> &ports() const noexcept { return ports_; }
    const std::vector<Subnet> &subnets() const noexcept { return subnets_; }
    const std::vector<HostReport> &reports() const noexcept { return *reports_; }
    /// Host names that several machines have, each with the files.
    const std::map<std::string, Names> &shared_names() const noexcept { return shared_names_; }
    /// How to call the host of a report.
    std::string name(const HostReport &report) const;
    Translate translate() const noexcept { return translate_; }

private:
    const std::vector<HostReport> *reports_;
    Translate translate_;
    std::size_t hosts_ = 0;
    std::vector<PortOf> ports_{};
    std::vector<Subnet> subnets_{};
    std::map<std::string, Names> shared_names_{};
};

} // namespace nmib::merging
