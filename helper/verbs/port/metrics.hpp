// SPDX-License-Identifier: LGPL-2.1-or-later
/// Metrics for Prometheus: the text format that the textfile collector of its node_exporter and promtool read
/// (Prometheus, Exposition formats, Text-based format).
#pragma once
#include "verbs/port/inventory.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace nmib::cli
{

/// The names are nm_ib_NAME. A counter ends with "_total", other names with their unit.
struct Metric {
    const char *name;
    const char *help; ///< not translated: equal for all hosts
};

class Metrics
{
public:
    /// An empty value leaves the label out.
    using Labels = std::vector<std::pair<const char *, std::string>>;
    /// Adds a sample; the samples of a metric may come in any order. Samples with the same labels are added up.
    void add(const Metric &metric, const Labels &labels, std::uint64_t value);
    /// The metrics in the order of their first samples.
    std::string text() const;
    /// Prints the text, in UTF-8 in every locale.
    void print() const;

private:
    struct Family {
        Metric metric;
        std::vector<std::pair<std::string, std::uint64_t>> samples; ///< with their labels
    };
    std::vector<Family> families_{};
};

/// Adds the ports and interfaces. Values that could not be read have no sample.
void add(Metrics &metrics, const Inventory &all);

} // namespace nmib::cli
