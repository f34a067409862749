// SPDX-License-Identifier: LGPL-2.1-or-later
#include "probe/port/port_info.hpp"

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

/// Decodes an MTU of PortInfo to bytes: 1 is 256, 5 is 4096.
unsigned bytes(unsigned code) noexcept { return code >= 1 && code <= 5 ? 128U << code : 0; }
} // namespace

Result<PortMtu> parse_port_mtu(std::span<const std::uint8_t> answer, const std::string &where)
{
    umad_smp smp{};
    if (answer.size() >= sizeof smp) std::memcpy(&smp, answer.data(), sizeof smp);
    if (answer.size() < sizeof smp || (be16toh(smp.status) & ~UMAD_SMP_DIRECTION) != 0)
        return Error{Error::Kind::refused, where + ": the port does not answer PortInfo"};
    const PortMtu mtu{bytes(smp.data[36] >> 4U), bytes(smp.data[41] & 0xfU)}; // NeighborMTU, MTUCap
    if (!mtu.active || !mtu.maximum) return Error{Error::Kind::invalid, where + ": PortInfo has no valid MTU"};
    return mtu;
}

Result<PortMtu> ask_port_mtu(const std::string &device, unsigned port)
{
    const auto where = device + "/" + std::to_string(port);
    // Prevents a warning printed by libibumad.
    if (::access("/sys/class/infiniband_mad/abi_version", F_OK) != 0)
        return Error{Error::Kind::unsupported, "PortInfo: the module ib_umad is not loaded (modprobe ib_umad)"};
    errno = 0;
    const int umad = ::umad_open_port(device.c_str(), static_cast<int>(port));
    if (umad < 0) return sys_error(errno ? errno : -umad, where);
    const std::unique_ptr<const int, decltype([](const int *id) { ::umad_close_port(*id); })> owner(&umad);
    const int agent = ::umad_register(umad, UMAD_CLASS_SUBN_DIRECTED_ROUTE, 1, 0, nullptr);
    if (agent < 0) return sys_error(errno ? errno : EIO, where);
    const std::unique_ptr<void, decltype(&::free)> packet(::umad_alloc(1, ::umad_size() + size), ::free);
    if (!packet) return sys_error(ENOMEM, where);
    // A directed route without a hop: to the port itself.
    ::umad_set_addr(packet.get(), 0xffff, 0, 0, 0);
    umad_smp smp{};
    smp.base_version = smp.class_version = 1;
    smp.mgmt_class = UMAD_CLASS_SUBN_DIRECTED_ROUTE;
    smp.method = UMAD_METHOD_GET;
    smp.attr_id = htobe16(UMAD_SM_ATTR_PORT_INFO);
    smp.attr_mod = htobe32(port);
    smp.dr_slid = smp.dr_dlid = 0xffff;
    auto *const mad = static_cast<std::uint8_t *>(::umad_get_mad(packet.get()));
    std::memcpy(mad, &smp, sizeof smp);
    if (::umad_send(umad, agent, packet.get(), size, timeout_ms, 1) < 0) return sys_error(errno, where);
    int length = size;
    if (::umad_recv(umad, packet.get(), &length, 2 * timeout_ms + 500) < 0) return sys_error(errno, where);
    const int failed = ::umad_status(packet.get());
    if (failed) return sys_error(failed, where);
    return parse_port_mtu({mad, static_cast<std::size_t>(std::clamp(length, 0, size))}, where);
}

} // namespace nmib
