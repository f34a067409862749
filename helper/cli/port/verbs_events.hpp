// SPDX-License-Identifier: LGPL-2.1-or-later
/// The asynchronous events of RDMA devices: port state, LID, subnet manager, P_Keys, GIDs (ibv_get_async_event(3)).
#pragma once
#include "cli/base/words.hpp"

#include <functional>
#include <map>
#include <memory>

namespace nmib::cli
{

/// libibverbs is opened when it is needed: no other command waits for it.
class VerbsEvents
{
public:
    explicit VerbsEvents(std::function<void()> happened);
    ~VerbsEvents();
    VerbsEvents(const VerbsEvents &) = delete;
    VerbsEvents &operator=(const VerbsEvents &) = delete;

    /// Those of these devices that are not watched yet; the names of those that cannot be.
    Words watch(const Words &names);

private:
    struct Library;
    struct Device;
    void take(Device &device);
    void close(const std::string &name);

    std::function<void()> happened_;
    std::unique_ptr<Library> library_;
    std::map<std::string, std::unique_ptr<Device>> devices_;
};

} // namespace nmib::cli
