// SPDX-License-Identifier: LGPL-2.1-or-later
// Any bytes as a port's answer to PortInfo. It is an MTU that there is, or refused in one line.
#include "probe/port/port_info.hpp"

#include <cstdlib>
#include <vector>

using namespace nmib;

extern "C" int LLVMFuzzerTestOneInput(const unsigned char *data, std::size_t size)
{
    std::vector<std::uint8_t> answer(data, data + size);
    const auto mtu = parse_port_mtu(answer, "mlx4_0/1");
    const auto possible = [](unsigned bytes) { return bytes >= 256 && bytes <= 4096 && (bytes & (bytes - 1)) == 0; };
    if (mtu ? !possible(mtu->active) || !possible(mtu->maximum)
            : mtu.error().what.empty() || mtu.error().what.find('\n') != std::string::npos)
        std::abort();
    return 0;
}
