// SPDX-License-Identifier: LGPL-2.1-or-later
/// A temporary directory.
#pragma once
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

struct TempDir {
    std::filesystem::path path;
    TempDir()
    {
        std::string name = std::filesystem::temp_directory_path() / "nmib-test-XXXXXX";
        path = ::mkdtemp(name.data());
    }
    ~TempDir() { std::filesystem::remove_all(path); }
    TempDir(const TempDir &) = delete;
    TempDir &operator=(const TempDir &) = delete;

    std::string operator/(const std::string &name) const { return path / name; }
    void write(const std::string &name, const std::string &text) const
    {
        std::filesystem::create_directories((path / name).parent_path());
        std::ofstream(path / name) << text;
    }
    std::string read(const std::string &name) const
    {
        std::ostringstream text;
        text << std::ifstream(path / name).rdbuf();
        return text.str();
    }
    bool has(const std::string &name) const
    {
        return std::filesystem::exists(std::filesystem::symlink_status(path / name));
    }
};
