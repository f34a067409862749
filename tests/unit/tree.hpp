// SPDX-License-Identifier: LGPL-2.1-or-later
/// A directory tree of the test's own, gone when the test is.
#pragma once
#include <string>
#include <string_view>

#include <sys/types.h>

namespace nmib::test
{

class Tree
{
public:
    Tree();
    ~Tree();
    Tree(const Tree &) = delete;
    Tree &operator=(const Tree &) = delete;

    const std::string &path() const noexcept { return path_; }
    std::string path(const std::string &below) const { return path_ + "/" + below; }

    /// Each makes the directories above as needed, replaces what is there, and throws when it cannot.
    void dir(const std::string &where) const;
    void file(const std::string &where, std::string_view content, mode_t mode = 0644) const;
    void link(const std::string &where, const std::string &target) const;
    void fifo(const std::string &where) const;
    /// A file of that size without content.
    void sparse(const std::string &where, off_t size) const;
    void remove(const std::string &where) const;
    /// Empty when there is no such file.
    std::string content(const std::string &where) const;

private:
    void room(const std::string &where) const;
    std::string path_;
};

/// /sys as the kernel lays it out: every entry of class/ a link into devices/.
class SysTree : public Tree
{
public:
    /// A ConnectX MT25418 rev a0 under mlx4_core with one port, its interface ib0 (ifindex 4), and two P_Keys.
    SysTree();
    /// A P_Key child, in devices/virtual/net.
    void child(const std::string &name, int ifindex) const;

    static constexpr const char *pci = "devices/pci0000:00/0000:01:00.0";
    static constexpr const char *net = "devices/pci0000:00/0000:01:00.0/net/ib0";
    static constexpr const char *hca = "devices/pci0000:00/0000:01:00.0/infiniband/mlx4_0";
    static std::string at(const char *base, const char *name) { return std::string(base) + "/" + name; }
};

} // namespace nmib::test
