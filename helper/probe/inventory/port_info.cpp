// SPDX-License-Identifier: LGPL-2.1-or-later
#include "probe/inventory/port_info.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <infiniband/mad.h>
#include <infiniband/umad.h>
#include <memory>
#include <unistd.h>

namespace nmib
{

namespace
{
constexpr int timeout_ms = 500, size = 256;

/// A port, opened for packets.
class UmadPort
{
public:
    UmadPort(const std::string &device, unsigned port) : id_(::umad_open_port(device.c_str(), static_cast<int>(port)))
    {
    }
    ~UmadPort()
    {
        if (id_ >= 0) ::umad_close_port(id_);
    }
    UmadPort(const UmadPort &) = delete;
    UmadPort &operator=(const UmadPort &) = delete;
    int id() const noexcept { return id_; }

private:
    int id_;
};

/// The bytes of an MTU that is encoded as in PortInfo: 1 is 256, 5 is 4096.
unsigned bytes(std::uint32_t code) noexcept { return code >= 1 && code <= 5 ? 128U << code : 0; }
} // namespace

Result<PortMtu> parse_port_mtu(std::span<std::uint8_t> answer, const std::string &where)
{
    if (answer.size() < size || (::mad_get_field(answer.data(), 0, IB_DRSMP_STATUS_F) & 0x7fffU) != 0)
        return Error{Error::Kind::refused, where + ": the port does not answer PortInfo"};
    void *const info = answer.data() + IB_SMP_DATA_OFFS;
    const PortMtu mtu{bytes(::mad_get_field(info, 0, IB_PORT_NEIGHBOR_MTU_F)),
                      bytes(::mad_get_field(info, 0, IB_PORT_MTU_CAP_F))};
    if (!mtu.active || !mtu.maximum) return Error{Error::Kind::invalid, where + ": PortInfo has no MTU that there is"};
    return mtu;
}

Result<PortMtu> ask_port_mtu(const std::string &device, unsigned port)
{
    const auto where = device + "/" + std::to_string(port);
    // libibumad would print a warning of its own.
    if (::access("/sys/class/infiniband_mad/abi_version", F_OK) != 0)
        return Error{Error::Kind::unsupported, "PortInfo: the module ib_umad is not loaded (modprobe ib_umad)"};
    errno = 0;
    const UmadPort umad(device, port);
    if (umad.id() < 0) return sys_error(errno ? errno : -umad.id(), where);
    const int agent = ::umad_register(umad.id(), IB_SMI_DIRECT_CLASS, 1, 0, nullptr);
    if (agent < 0) return sys_error(errno ? errno : EIO, where);
    const std::unique_ptr<void, decltype(&::free)> packet(::umad_alloc(1, ::umad_size() + size), ::free);
    if (!packet) return sys_error(ENOMEM, where);
    // To itself: a directed route without a hop.
    ::umad_set_addr(packet.get(), 0xffff, 0, 0, 0);
    void *const mad = ::umad_get_mad(packet.get());
    for (const auto &[field, value] :
         std::initializer_list<std::pair<MAD_FIELDS, std::uint32_t>>{{IB_MAD_BASEVER_F, 1},
                                                                     {IB_MAD_CLASSVER_F, 1},
                                                                     {IB_MAD_MGMTCLASS_F, IB_SMI_DIRECT_CLASS},
                                                                     {IB_MAD_METHOD_F, IB_MAD_METHOD_GET},
                                                                     {IB_MAD_ATTRID_F, IB_ATTR_PORT_INFO},
                                                                     {IB_MAD_ATTRMOD_F, port},
                                                                     {IB_DRSMP_DRSLID_F, 0xffff},
                                                                     {IB_DRSMP_DRDLID_F, 0xffff}})
        ::mad_set_field(mad, 0, field, value);
    if (::umad_send(umad.id(), agent, packet.get(), size, timeout_ms, 1) < 0) return sys_error(errno, where);
    int length = size;
    if (::umad_recv(umad.id(), packet.get(), &length, 2 * timeout_ms + 500) < 0) return sys_error(errno, where);
    const int failed = ::umad_status(packet.get());
    if (failed) return sys_error(failed, where);
    return parse_port_mtu({static_cast<std::uint8_t *>(mad), static_cast<std::size_t>(std::clamp(length, 0, size))},
                          where);
}

} // namespace nmib
