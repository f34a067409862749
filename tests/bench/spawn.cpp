// SPDX-License-Identifier: LGPL-2.1-or-later
// How long processes take, from posix_spawn to the end that wait reports:
//   bench-spawn [--before PROGRAM] ROUNDS NAME='PROGRAM ARGUMENT...'...
// The program behind --before is called with the variant's name ahead of each sample, untimed. What the measured
// programs print goes nowhere; one that fails ends the measurement, it would be of something else.
#include "bench/samples.hpp"

#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <sstream>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace
{
struct Variant {
    std::string name;
    std::vector<std::string> words;
};

[[noreturn]] void fail(const std::string &what)
{
    std::fprintf(stderr, "bench-spawn: %s\n", what.c_str());
    std::exit(EXIT_FAILURE);
}

std::vector<std::string> split(const std::string &text)
{
    std::istringstream in(text);
    std::vector<std::string> words;
    for (std::string word; in >> word;) words.push_back(word);
    return words;
}

bench::Milliseconds run(std::vector<std::string> words)
{
    std::vector<char *> argv;
    for (auto &w : words) argv.push_back(w.data());
    argv.push_back(nullptr);
    posix_spawn_file_actions_t files;
    ::posix_spawn_file_actions_init(&files);
    for (const int fd : {STDOUT_FILENO, STDERR_FILENO})
        ::posix_spawn_file_actions_addopen(&files, fd, "/dev/null", O_WRONLY, 0);
    pid_t child = 0;
    int status = 0;
    const auto begin = bench::Clock::now();
    const int e = ::posix_spawnp(&child, argv[0], &files, nullptr, argv.data(), environ);
    if (e == 0) ::waitpid(child, &status, 0);
    const auto end = bench::Clock::now();
    ::posix_spawn_file_actions_destroy(&files);
    if (e != 0) fail(words[0] + ": " + std::strerror(e));
    if (status != 0) fail(words[0] + ": ended with wait status " + std::to_string(status));
    return end - begin;
}
} // namespace

int main(int argc, char **argv)
{
    std::vector<std::string> args(argv + 1, argv + argc), before;
    if (args.size() >= 2 && args[0] == "--before") {
        before = {args[1], ""};
        args.erase(args.begin(), args.begin() + 2);
    }
    if (args.size() < 2) fail("usage: bench-spawn [--before PROGRAM] ROUNDS NAME='PROGRAM ARGUMENT...'...");
    const int rounds = std::atoi(args[0].c_str());
    std::vector<Variant> variants;
    for (std::size_t i = 1; i < args.size(); i++) {
        const auto equals = args[i].find('=');
        if (equals == std::string::npos || split(args[i].substr(equals + 1)).empty())
            fail(args[i] + ": no NAME=PROGRAM");
        variants.push_back({args[i].substr(0, equals), split(args[i].substr(equals + 1))});
    }
    constexpr int warm_up = 2;
    bench::interleave(rounds + warm_up, 1, variants, [&](int round, const Variant &v) {
        if (!before.empty()) {
            before[1] = v.name;
            (void)run(before);
        }
        const auto time = run(v.words);
        if (round >= warm_up) bench::print(round, v.name, time);
    });
}
