// SPDX-License-Identifier: LGPL-2.1-or-later
/// Carries out the rdma.* words of one interface.
#pragma once
#include "apply/rdma/words.hpp"
#include "dispatch/handle.hpp"
#include "dispatch/rdma/kept.hpp"
#include "probe/base/dir.hpp"

#include <functional>

namespace nmib
{

struct RdmaPaths {
    HandlePaths handle;
    std::string root = "/", sysfs = "/sys", configfs = rdma_cm_folder;
};

using AllKept = std::map<int, RdmaKept>;

/// Applies the words of one interface, and keeps the words and the previous values.
class WordsRun
{
public:
    WordsRun(int ifindex, RdmaKept &kept, const AllKept &all, const RdmaPaths &paths, Lines &lines) :
        ifindex_(ifindex), kept_(kept), all_(all), paths_(paths), lines_(lines)
    {
    }

    void apply(const Dir &sysfs, const std::function<RdmaFacts()> &read);

private:
    /// Adds the values of RDMA-CM if the words or the previous values need them.
    RdmaFacts look(RdmaFacts facts);
    Guid automatic(const RdmaFacts &facts, unsigned vf);
    void say(Severity severity, const std::string &what);
    Result<void> remember() const;
    void keep();

    int ifindex_;
    RdmaKept &kept_;
    const AllKept &all_;
    const RdmaPaths &paths_;
    Lines &lines_;
    bool reported_ = false;
};

} // namespace nmib
