// SPDX-License-Identifier: LGPL-2.1-or-later
#include "probe/port/smp.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <endian.h>
#include <infiniband/umad.h>
#include <infiniband/umad_sm.h>
#include <memory>
#include <unistd.h>

namespace nmib
{

namespace
{
constexpr int timeout_ms = 500, size = sizeof(umad_smp);

/// The status without the direction bit of a directed route.
bool has_failed(const umad_smp &smp) noexcept { return (be16toh(smp.status) & ~UMAD_SMP_DIRECTION) != 0; }

Result<PortInfo> info_in(const umad_smp &smp, const std::string &where)
{
    if (auto info = PortInfo::parse(smp.data)) return *info;
    return Error{Error::Kind::invalid, where + ": PortInfo has no valid MTU"};
}
} // namespace

Result<SmpPort> SmpPort::open(const std::string &device, unsigned port)
{
    const auto where = device + "/" + std::to_string(port);
    // Prevents a warning printed by libibumad.
    if (::access("/sys/class/infiniband_mad/abi_version", F_OK) != 0)
        return Error{Error::Kind::unsupported, "PortInfo: the module ib_umad is not loaded (modprobe ib_umad)"};
    errno = 0;
    const int id = ::umad_open_port(device.c_str(), static_cast<int>(port));
    if (id < 0) return sys_error(errno ? errno : -id, where);
    return SmpPort(id, where, port);
}

SmpPort::SmpPort(SmpPort &&other) noexcept :
    id_(std::exchange(other.id_, -1)), where_(std::move(other.where_)), port_(other.port_)
{
}

SmpPort::~SmpPort()
{
    if (id_ >= 0) ::umad_close_port(id_);
}

Result<void> SmpPort::exchange(umad_smp &smp, unsigned lid)
{
    smp.base_version = smp.class_version = 1;
    smp.method = UMAD_METHOD_GET;
    const int agent = ::umad_register(id_, smp.mgmt_class, 1, 0, nullptr);
    if (agent < 0) return sys_error(errno ? errno : EIO, where_);
    const std::unique_ptr<void, decltype(&::free)> buffer(::umad_alloc(1, ::umad_size() + size), ::free);
    if (!buffer) return sys_error(ENOMEM, where_);
    ::umad_set_addr(buffer.get(), static_cast<int>(lid), 0, 0, 0);
    auto *const mad = static_cast<std::uint8_t *>(::umad_get_mad(buffer.get()));
    std::memcpy(mad, &smp, sizeof smp);
    if (::umad_send(id_, agent, buffer.get(), size, timeout_ms, 1) < 0) return sys_error(errno, where_);
    int length = size;
    const int received = ::umad_recv(id_, buffer.get(), &length, 2 * timeout_ms + 500);
    const int failed = received < 0 ? errno : ::umad_status(buffer.get());
    ::umad_unregister(id_, agent);
    if (failed) return sys_error(failed, where_);
    smp = {};
    if (length == size) std::memcpy(&smp, mad, sizeof smp);
    if (length != size || has_failed(smp)) return Error{Error::Kind::refused, where_ + ": no valid answer"};
    return {};
}

Result<umad_smp> SmpPort::directed(unsigned attribute, unsigned modifier, bool to_peer)
{
    umad_smp smp{};
    smp.mgmt_class = UMAD_CLASS_SUBN_DIRECTED_ROUTE;
    smp.attr_id = htobe16(static_cast<std::uint16_t>(attribute));
    smp.attr_mod = htobe32(modifier);
    smp.dr_slid = smp.dr_dlid = 0xffff;
    if (to_peer) smp.hop_cnt = 1, smp.initial_path[1] = static_cast<std::uint8_t>(port_);
    if (const auto sent = exchange(smp, 0xffff); !sent) return sent.error();
    return smp;
}

Result<PortInfo> SmpPort::own_info()
{
    return directed(UMAD_SM_ATTR_PORT_INFO, port_, false).and_then([&](auto &smp) { return info_in(smp, where_); });
}

Result<PortInfo> SmpPort::peer_info()
{
    const auto node = directed(UMAD_SM_ATTR_NODE_INFO, 0, true);
    if (!node) return node.error();
    const unsigned number = node->data[36]; // LocalPortNum
    return directed(UMAD_SM_ATTR_PORT_INFO, number, true).and_then([&](auto &smp) { return info_in(smp, where_); });
}

Result<SubnetManager> SmpPort::subnet_manager(unsigned sm_lid)
{
    umad_smp smp{};
    smp.mgmt_class = UMAD_CLASS_SUBN_LID_ROUTED;
    smp.attr_id = htobe16(UMAD_SM_ATTR_SM_INFO);
    if (const auto sent = exchange(smp, sm_lid); !sent) return sent.error();
    std::uint64_t guid = 0; // SMInfo begins with the GUID (14.2.5.13)
    std::memcpy(&guid, smp.data, sizeof guid);
    return SubnetManager{Guid{be64toh(guid)}};
}

Result<PortInfo> parse_port_info(std::span<const std::uint8_t> answer, const std::string &where)
{
    umad_smp smp{};
    if (answer.size() >= sizeof smp) std::memcpy(&smp, answer.data(), sizeof smp);
    if (answer.size() < sizeof smp || has_failed(smp))
        return Error{Error::Kind::refused, where + ": the port does not answer PortInfo"};
    return info_in(smp, where);
}

} // namespace nmib
