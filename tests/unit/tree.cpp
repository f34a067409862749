// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tree.hpp"

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace nmib::test
{

namespace
{
namespace fs = std::filesystem;

void check(int result, const std::string &where)
{
    if (result < 0) throw std::system_error(errno, std::generic_category(), where);
}

/// In memory if possible, because tests make hundreds of trees.
fs::path base()
{
    const fs::path memory = "/dev/shm";
    return ::access(memory.c_str(), W_OK | X_OK) == 0 ? memory : fs::temp_directory_path();
}
} // namespace

Tree::Tree() : path_((base() / "nmib-unit-XXXXXX").string())
{
    if (!::mkdtemp(path_.data())) check(-1, path_);
}

Tree::~Tree()
{
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

void Tree::room(const std::string &where) const
{
    fs::create_directories(fs::path(path(where)).parent_path());
    remove(where);
}

void Tree::dir(const std::string &where) const { fs::create_directories(path(where)); }

void Tree::file(const std::string &where, std::string_view content, mode_t mode) const
{
    room(where);
    std::ofstream(path(where), std::ios::binary) << content;
    check(::chmod(path(where).c_str(), mode), where);
}

void Tree::link(const std::string &where, const std::string &target) const
{
    room(where);
    fs::create_symlink(target, path(where));
}

void Tree::fifo(const std::string &where) const
{
    room(where);
    check(::mkfifo(path(where).c_str(), 0600), where);
}

void Tree::sparse(const std::string &where, off_t size) const
{
    file(where, "");
    check(::truncate(path(where).c_str(), size), where);
}

void Tree::remove(const std::string &where) const { fs::remove_all(path(where)); }

std::string Tree::content(const std::string &where) const
{
    if (!fs::is_regular_file(path(where))) return {};
    std::ifstream in(path(where), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

SysTree::SysTree()
{
    file(at(pci, "vendor"), "0x15b3\n");
    file(at(pci, "device"), "0x634a\n");
    file(at(pci, "revision"), "0xa0\n");
    dir("bus/pci/drivers/mlx4_core");
    link(at(pci, "driver"), "../../../bus/pci/drivers/mlx4_core");
    file(at(hca, "hw_rev"), "a0\n");
    file(at(hca, "ports/1/state"), "4: ACTIVE\n");
    file(at(hca, "ports/1/sm_lid"), "0x1\n");
    file(at(hca, "ports/1/pkeys/0"), "0xffff\n");
    file(at(hca, "ports/1/pkeys/1"), "0x8002\n");
    file(at(hca, "ports/1/pkeys/2"), "0x0000\n");
    link("class/infiniband/mlx4_0", "../../devices/pci0000:00/0000:01:00.0/infiniband/mlx4_0");
    file(at(net, "ifindex"), "4\n");
    file(at(net, "dev_port"), "0\n");
    file(at(net, "mode"), "datagram\n");
    file(at(net, "carrier_changes"), "3\n");
    link(at(net, "device"), "../../../0000:01:00.0");
    link("class/net/ib0", "../../devices/pci0000:00/0000:01:00.0/net/ib0");
}

void SysTree::child(const std::string &name, int ifindex) const
{
    const auto where = "devices/virtual/net/" + name;
    file(where + "/ifindex", std::to_string(ifindex) + "\n");
    file(where + "/mode", "datagram\n");
    file(where + "/carrier_changes", "1\n");
    link("class/net/" + name, "../../" + where);
}

} // namespace nmib::test
