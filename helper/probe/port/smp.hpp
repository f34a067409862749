// SPDX-License-Identifier: LGPL-2.1-or-later
/// Asks a port, the other end of its link and its subnet manager by subnet management packets.
#pragma once
#include "core/base/result.hpp"
#include "core/ib/link.hpp"
#include "core/ib/rdma_device.hpp"

#include <cstdint>
#include <span>
#include <string>

struct umad_smp;

namespace nmib
{

/// An open port. Only root can open one.
class SmpPort
{
public:
    /// Error of kind `denied`: no permission for these packets; `unsupported`: no module ib_umad.
    static Result<SmpPort> open(const std::string &device, unsigned port);
    SmpPort(SmpPort &&other) noexcept;
    SmpPort &operator=(SmpPort &&) = delete;
    ~SmpPort();

    Result<PortInfo> own_info();
    /// The port of the switch or host at the other end of the link.
    Result<PortInfo> peer_info();
    /// The master subnet manager at this LID. Error of kind `io`: it does not answer.
    Result<SubnetManager> subnet_manager(unsigned sm_lid);

private:
    SmpPort(int id, std::string where, unsigned port) : id_(id), where_(std::move(where)), port_(port) {}
    /// Replaces a request by its answer. `lid` 0xffff: a directed route.
    Result<void> exchange(umad_smp &smp, unsigned lid);
    /// Asks the port itself, or the other end of its link.
    Result<umad_smp> directed(unsigned attribute, unsigned modifier, bool to_peer);

    int id_;
    std::string where_; ///< "mlx5_0/1", for messages
    unsigned port_;
};

/// Checks an answer, a subnet management packet of 256 bytes (InfiniBand Architecture, volume 1, 14.2.1), and returns
/// PortInfo. `where` names the port in messages.
Result<PortInfo> parse_port_info(std::span<const std::uint8_t> answer, const std::string &where);

} // namespace nmib
