// SPDX-License-Identifier: LGPL-2.1-or-later
/// A temporary directory tree.
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

    /// These functions make missing parent directories, replace existing files, and throw on failure.
    void dir(const std::string &where) const;
    void file(const std::string &where, std::string_view content, mode_t mode = 0644) const;
    void link(const std::string &where, const std::string &target) const;
    void fifo(const std::string &where) const;
    /// A file of this size without content.
    void sparse(const std::string &where, off_t size) const;
    void remove(const std::string &where) const;
    /// Empty if there is no such file.
    std::string content(const std::string &where) const;

private:
    void room(const std::string &where) const;
    std::string path_;
};

/// /sys in the kernel's layout: every entry of class/ is a link into devices/.
class SysTree : public Tree
{
public:
    /// A ConnectX MT25418 rev a0 with mlx4_core, one port, its interface ib0 (ifindex 4), and two P_Keys.
    SysTree();
    /// A P_Key child, in devices/virtual/net.
    void child(const std::string &name, int ifindex) const;

    static constexpr const char *pci = "devices/pci0000:00/0000:01:00.0";
    static constexpr const char *net = "devices/pci0000:00/0000:01:00.0/net/ib0";
    static constexpr const char *hca = "devices/pci0000:00/0000:01:00.0/infiniband/mlx4_0";
    static std::string at(const char *base, const char *name) { return std::string(base) + "/" + name; }
};

} // namespace nmib::test
