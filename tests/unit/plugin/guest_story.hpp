// SPDX-License-Identifier: LGPL-2.1-or-later
/// A random story as a story for the guest (docs/lab.md, "Stories").
#pragma once
#include "story.hpp"

#include <optional>
#include <string>
#include <vector>

namespace nmib::test
{

/// The lines of the guest for the world (first), and for each event. The last line of each waits for rest.
///
/// Returns nothing if the guest cannot play the story: a router's advertisement; a loss of the carrier that lasts
/// (NetworkManager deactivates the device after some seconds) or that NetworkManager does not notice; a profile that is
/// external or has rdma.skip; connected-impossible=fail. In the guest the carrier is late, and a script neither late
/// nor slow: the model must play the story that is left in `story`.
std::optional<std::vector<std::vector<std::string>>> guest_story(DeviceStory &story);

} // namespace nmib::test
