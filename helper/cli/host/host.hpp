// SPDX-License-Identifier: LGPL-2.1-or-later
/// The nouns of `nm-ib host`: each shows its rows, and writes or removes its files.
#pragma once
#include "cli/base/command.hpp"
#include "core/host/file.hpp"
#include "core/host/modules.hpp"
#include "core/ib/rdma_device.hpp"

#include <functional>

namespace nmib::cli
{

/// The setting is taken back.
inline bool is_unset(const Request &request) { return !request.words.empty() && request.words.back() == "unset"; }
using HostNoun = std::optional<Failure>(const Request &);
HostNoun host_memlock, host_nfs_server, host_modules, host_opensm;

/// What is set by which program, what is in effect, and the command that makes the setting effective.
struct HostRow {
    std::string noun, setting, file;
    std::string effect{}, needs{}; ///< what is in force, and what has to happen first, in words
    bool ours = false;             ///< nm-ib host wrote the file
    std::vector<Words> commands{}; ///< that let it take effect
};
using HostRows = std::vector<HostRow>;
using AddHostRows = void(HostRows &rows);
AddHostRows add_memlock_rows, add_nfs_server_rows, add_module_rows, add_opensm_rows;

/// The rows of all nouns.
std::optional<Failure> show_host(const Request &request);
/// The rows of a noun, or, with words behind the noun, what it writes.
std::optional<Failure> run_noun(const Request &request, HostNoun *noun, AddHostRows *add);

struct HostPlan {
    const char *noun;
    std::string setting;           ///< what is asked for, in words
    std::vector<HostFile> files{}; ///< an empty text: the file goes
    bool units = false;            ///< systemd has to read its units again
    Words notes{};                 ///< printed first
    /// What makes the setting effective; read when all is written. An Error ends the command with 1.
    std::function<Result<Words>(bool changed)> after{};
};
/// Writes the files, all or none, and prints what was done. Refuses a file that nm-ib did not write, one that was
/// changed by hand (unless forced; a copy is kept), and users other than root.
std::optional<Failure> carry_out(const Request &request, const HostPlan &plan);

Failure host_refused(const std::string &why); ///< bad words: exit status 2
Failure host_failed(const std::string &why);  ///< exit status 1
Failure host_failure(const Error &error);     ///< of kind `invalid`: bad words

/// The files that end in .conf in these directories, as their readers take them: by name, the first directory hides.
void each_conf_file(const Words &directories,
                    const std::function<void(const std::string &path, const std::string &text)> &look);

/// A property of a unit, as systemctl shows it; empty where systemd does not answer.
std::string unit_property(const std::string &unit, const char *property);
/// There is a file of this name where systemd looks for units.
bool has_unit_file(const std::string &name);

/// The RDMA devices with their ports.
Result<std::vector<RdmaDevice>> read_devices();
/// The same, and cards without a device, as far as modules depend on them.
Result<RdmaHardware> read_hardware();

} // namespace nmib::cli
