// SPDX-License-Identifier: LGPL-2.1-or-later
// Any bytes as a port's answer to PortInfo. It is valid values, or refused in one line.
#include "probe/port/smp.hpp"

#include <cstdlib>
#include <vector>

using namespace nmib;

extern "C" int LLVMFuzzerTestOneInput(const unsigned char *data, std::size_t size)
{
    std::vector<std::uint8_t> answer(data, data + size);
    const auto info = parse_port_info(answer, "mlx4_0/1");
    const auto possible = [](unsigned bytes) { return bytes >= 256 && bytes <= 4096 && (bytes & (bytes - 1)) == 0; };
    if (info ? !possible(info->mtu) || !possible(info->max_mtu) || info->active.lanes > 12
             : info.error().what.empty() || info.error().what.find('\n') != std::string::npos)
        std::abort();
    return 0;
}
