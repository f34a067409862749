// SPDX-License-Identifier: LGPL-2.1-or-later
/// The nouns of `nm-ib host`: each prints its rows, and writes or removes its files.
#pragma once
#include "core/host/file.hpp"
#include "core/ib/rdma_device.hpp"
#include "terminal/request.hpp"

#include <functional>

namespace nmib::cli
{

inline bool is_unset(const Request &request) { return !request.words.empty() && request.words.back() == "unset"; }
using HostNoun = OwnVerb;
HostNoun host_memlock, host_opensm, host_rails;

/// A setting of any program, the value in effect, and the commands that make the setting effective.
struct HostRow {
    std::string noun, setting, file;
    std::string effect{}, needs{}; ///< the value in effect; the action that is needed, in words
    bool ours = false;             ///< nm-ib host wrote the file
    std::vector<Words> commands{};
};
using HostRows = std::vector<HostRow>;
using AddHostRows = void(HostRows &rows);
AddHostRows add_memlock_rows, add_opensm_rows, add_rails_rows;

OwnVerb show_host;
/// Without words, prints the rows of a noun; with words, changes the setting.
Status run_noun(const Request &request, HostNoun *noun, AddHostRows *add);

struct HostPlan {
    const char *noun;
    std::string setting;           ///< the request, in words
    std::vector<HostFile> files{}; ///< an empty text: the file is removed
    bool units = false;            ///< systemd must reload its units
    Words notes{};                 ///< printed first
    Words profiles{};              ///< changes of profiles as commands; `after` makes them
    /// Called after the files are written; returns notes on what makes the setting effective. Error: exit status 1; if
    /// profiles should change, the files are as before.
    std::function<Result<Words>(bool changed)> after{};
};
/// Writes the files, all or none, and prints the changes. Refuses users other than root, and files that nm-ib did not
/// write. Refuses files changed by hand; with --force, keeps a copy.
Status carry_out(const Request &request, const HostPlan &plan);

Failure host_failure(const Error &error); ///< exit status 2 if the kind is `invalid`, otherwise 1

/// Calls `look` for each *.conf file, by name. A file hides files of the same name in later directories.
void each_conf_file(const Words &directories,
                    const std::function<void(const std::string &path, const std::string &text)> &look);

/// Reads a unit's property with systemctl; empty if systemd does not answer.
std::string unit_property(const std::string &unit, const char *property);
/// Returns true if a file of this name is where systemd reads units.
bool has_unit_file(const std::string &name);

Result<std::vector<RdmaDevice>> read_devices();

} // namespace nmib::cli
