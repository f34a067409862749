// SPDX-License-Identifier: GPL-2.0-or-later
#include "configuration.hpp"

#include "apply/base/file.hpp"
#include "core/plan/finding.hpp"
#include "crash_marker.hpp"
#include "log.hpp"
#include "probe/base/dir.hpp"
#include "probe/plan/policy.hpp"
#include "probe/plan/state.hpp"
#include "probe/rdma/facts.hpp"

#include "config.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <glib-unix.h>
#include <memory>
#include <mutex>
#include <poll.h>
#include <sched.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <unistd.h>

namespace nmib
{

namespace
{
constexpr std::chrono::milliseconds patience_at_load{10}, patience{50};

/// Milliseconds until the next attempt to read files that gave errors.
constexpr int unread_again = 10000;

constexpr std::size_t most_profiles = 100000;
constexpr std::size_t most_warnings = 10; ///< of profiles; the main loop logs them

struct Reading {
    /// An error other than a mistake of the administrator means that the files are unknown, and the last reading holds.
    void warn(const Error &error)
    {
        whole &= error.kind != Error::Kind::io;
        warnings.push_back(error.what);
    }

    Configuration configuration{.known = true};
    bool whole = true;   ///< policy and quirks were read; not as from a server that is away
    bool failed = false; ///< a file of words, or the list of them, was not
    bool listed = true;  ///< `unread` has all of them
    std::vector<std::string> warnings{};
    std::string digest{};
};

/// Used by the main loop alone.
struct InForce {
    Configuration configuration{};
    LoggedLines logged{};
};
InForce &in_force()
{
    static auto *all = new InForce;
    return *all;
}

void adopt(Reading &reading)
{
    auto &now = in_force();
    if (!now.configuration.policy.plugin) return; // for good
    now.logged.next();
    for (const auto &w : reading.warnings)
        if (now.logged.first_time(Severity::warning, w)) log(Severity::warning, w);
    if (!reading.whole) return;
    if (now.configuration.known) reading.configuration.policy.plugin = now.configuration.policy.plugin;
    for (const auto &uuid : now.configuration.opted_out) // what cannot be read now is as before
        if (!reading.listed || reading.configuration.unread.contains(uuid))
            reading.configuration.opted_out.insert(uuid);
    now.configuration = std::move(reading.configuration);
    const auto state = make_dir(NMIB_STATE);
    const auto kept = state.and_then([&](auto &dir) { return write_file(dir, state_configuration, reading.digest); });
    if (!kept) log(Severity::warning, "nm-ib plan cannot compare the configuration: " + kept.error().what);
}

void notify(const UniqueFd &event) noexcept
{
    const std::uint64_t one = 1;
    (void)!::write(event.get(), &one, sizeof(one));
}

class Reader
{
public:
    bool start();
    void stop() noexcept;
    void again() const noexcept;
    /// Adopts a reading that has ended. Waits for one that is under way or due, unless an earlier wait was in vain.
    void update(std::chrono::milliseconds limit);

private:
    static gpointer run(gpointer self) noexcept
    {
        auto &reader = *static_cast<Reader *>(self);
        fenced("configuration", [&] { reader.close_other_files(); });
        while (!reader.stopped_) {
            fenced("configuration", [&] {
                reader.watch();
                reader.hand_over(reader.read());
            });
            reader.wait();
        }
        return nullptr;
    }
    void close_other_files() const;
    void watch() noexcept;
    std::unique_ptr<Reading> read() const;
    void hand_over(std::unique_ptr<Reading> reading);
    void wait() noexcept;
    int poll_changes(int milliseconds) const noexcept;

    PolicyPaths paths_ = installed_policy_paths();
    UniqueFd watch_{}, wake_{};
    UniqueFd done_{};      ///< wakes the main loop, with a reading
    bool failed_ = false;  ///< the last reading
    bool started_ = false; ///< the plugin is loaded
    int unwatched_ = 0;    ///< errno of a watch that could not be set
    std::atomic<bool> stopped_ = false;

    std::mutex mutex_{}; ///< for what follows
    std::condition_variable ended_{};
    std::unique_ptr<Reading> reading_{}; ///< until the main loop adopts it
    bool busy_ = true;                   ///< the thread reads
    bool in_vain_ = false;               ///< the main loop has waited for the reading that is under way
};

bool Reader::start()
{
    watch_ = UniqueFd(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
    wake_ = UniqueFd(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC));
    done_ = UniqueFd(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC));
    // The daemon handles signals in its main loop.
    sigset_t all, before;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    auto *thread = wake_ && done_ ? g_thread_try_new("nm-ib", run, this, nullptr) : nullptr;
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    if (!thread) return false;
    g_thread_unref(thread);
    const GUnixFDSourceFunc take = [](gint fd, GIOCondition, gpointer self) -> gboolean {
        std::uint64_t times = 0;
        (void)!::read(fd, &times, sizeof(times));
        fenced("configuration", [&] { static_cast<Reader *>(self)->update({}); });
        return G_SOURCE_CONTINUE;
    };
    // The default priority: libsystemd, in the daemon, expects that its source is checked whenever it was prepared.
    g_unix_fd_add_full(G_PRIORITY_DEFAULT, done_.get(), G_IO_IN, take, this, nullptr);
    const auto state = make_dir(NMIB_STATE);
    if (state) (void)remove_file(*state, state_configuration); // of an earlier daemon
    update(patience_at_load);
    const std::lock_guard lock(mutex_);
    if (in_vain_)
        log(Severity::warning,
            "the files in " + split_path(paths_.conf).first + " do not answer, using built-in defaults until they do");
    started_ = true;
    in_vain_ = false; // the first activation has more patience: on a slow disk the files are read by then
    return true;
}

void Reader::stop() noexcept
{
    stopped_ = true;
    again();
}

void Reader::again() const noexcept
{
    if (wake_) notify(wake_);
}

/// A thread that waits in the kernel and cannot be killed keeps the process, and would keep the daemon's files open: no
/// other daemon could have its name on the bus. So the thread has a table of files of its own, with what it needs.
void Reader::close_other_files() const
{
    if (::unshare(CLONE_FILES) != 0) return;
    std::vector<unsigned> kept;
    for (const int fd : {watch_.get(), wake_.get(), done_.get()})
        if (fd >= 0) kept.push_back(static_cast<unsigned>(fd));
    std::sort(kept.begin(), kept.end());
    unsigned first = STDERR_FILENO + 1;
    for (const auto fd : kept) {
        if (fd > first) ::close_range(first, fd - 1, 0);
        first = fd + 1;
    }
    ::close_range(first, ~0U, 0);
}

void Reader::update(std::chrono::milliseconds limit)
{
    if (stopped_) return;
    std::unique_lock lock(mutex_);
    const auto has_ended = [&] { return !busy_ && poll_changes(0) <= 0; };
    if (limit.count() && wake_ && !in_vain_) in_vain_ = !ended_.wait_for(lock, limit, has_ended);
    const auto reading = std::move(reading_);
    lock.unlock();
    if (!reading) return;
    const bool was_on = configuration().policy.plugin;
    adopt(*reading);
    if (!started_ || !was_on || configuration().policy.plugin) return;
    log(Severity::warning, "switched off by plugin=false in " NMIB_CONF ", which was read after the start");
    stop();
    CrashMarker::instance().end(); // the helper is in charge
}

/// A watch survives the readings, and a directory may be new. Before the files are read, so that no change is missed.
void Reader::watch() noexcept
{
    constexpr auto events =
        IN_CLOSE_WRITE | IN_CREATE | IN_MOVE | IN_DELETE | IN_ATTRIB | IN_MOVE_SELF | IN_DELETE_SELF | IN_ONLYDIR;
    unwatched_ = 0;
    const auto add = [&](const std::string &path) {
        const int wd = ::inotify_add_watch(watch_.get(), path.c_str(), events);
        if (wd < 0 && errno != ENOENT && errno != ENOTDIR) unwatched_ = errno;
        return wd;
    };
    const auto ours = split_path(paths_.conf).first;
    // In the parent, /etc, most changes are of other files. They cause readings only while our directory is missing.
    if (add(ours) < 0) add(split_path(ours).first);
    for (const auto &path : {ours, paths_.quirks_admin, paths_.quirks, std::string(words_directory)}) add(path);
}

std::unique_ptr<Reading> Reader::read() const
{
    auto reading = std::make_unique<Reading>();
    auto read = read_policy(paths_);
    auto &policy = reading->configuration.policy = std::move(read.policy);
    reading->digest = read.digest;
    for (const auto &w : read.warnings) reading->warn(w);
    if (unwatched_)
        reading->warn({Error::Kind::unsupported,
                       "a change of a file needs a reload of NetworkManager: " + sys_error(unwatched_, "watch").what});
    const auto words = Dir::open(words_directory);
    const auto uuids = words.and_then([](auto &dir) { return dir.list(most_profiles); });
    if (!uuids && uuids.error().kind != Error::Kind::absent) {
        reading->warnings.push_back("rdma.skip of profiles cannot be read and stays as it was: " + uuids.error().what);
        reading->failed = uuids.error().kind == Error::Kind::io;
        reading->listed = policy.remove_leftovers = false; // a profile may have rdma.skip
    }
    if (!uuids) return reading;
    std::size_t failures = 0;
    for (const auto &uuid : *uuids) {
        const auto word = read_rdma_words(words_directory, uuid);
        if (word && word->words.skip) reading->configuration.opted_out.insert(uuid);
        if (word && word->bad.empty()) continue;
        reading->configuration.unread.insert(uuid); // a wrong word may be a misspelled rdma.skip
        if (word) continue;
        reading->failed |= word.error().kind == Error::Kind::io;
        if (++failures <= most_warnings)
            reading->warnings.push_back("rdma.skip of the profile cannot be read and stays as it was: " +
                                        word.error().what);
    }
    if (failures > most_warnings)
        reading->warnings.push_back("rdma.skip of " + std::to_string(failures - most_warnings) +
                                    " more profiles cannot be read and stays as it was");
    return reading;
}

void Reader::hand_over(std::unique_ptr<Reading> reading)
{
    {
        const std::lock_guard lock(mutex_);
        failed_ = reading->failed || !reading->whole;
        reading_ = std::move(reading);
        busy_ = in_vain_ = false;
    }
    ended_.notify_one();
    notify(done_);
}

/// Returns a positive number if the files may have changed, or if a reading was requested.
int Reader::poll_changes(int milliseconds) const noexcept
{
    std::array<pollfd, 2> fds{{{watch_.get(), POLLIN, 0}, {wake_.get(), POLLIN, 0}}};
    return ::poll(fds.data(), fds.size(), milliseconds);
}

/// Waits until the files have to be read again.
void Reader::wait() noexcept
{
    if (poll_changes(failed_ ? unread_again : -1) < 0) ::sleep(1);
    {
        const std::lock_guard lock(mutex_);
        busy_ = true; // before the events are gone: they or this show that a reading is due
    }
    std::array<char, 4096> events;
    for (const auto *fd : {&watch_, &wake_})
        while (::read(fd->get(), events.data(), events.size()) > 0) {
        }
}

Reader &reader()
{
    static auto *one = new Reader; // never destroyed: the thread does not end
    return *one;
}
} // namespace

const Configuration &configuration() { return in_force().configuration; }

bool start_reading() { return reader().start(); }

void stop_reading() { reader().stop(); }

void read_again() { reader().again(); }

void update_configuration() { reader().update(patience); }

} // namespace nmib
