// SPDX-License-Identifier: LGPL-2.1-or-later
#include "apply/rdma/roce.hpp"

#include "core/number.hpp"
#include "probe/dir.hpp"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>

namespace nmib
{

namespace
{
bool is_name(const std::string &device)
{
    return !device.empty() && device.find('/') == device.npos && !device.starts_with('.');
}

/// A device's folder, which goes with this object where it was made by it.
class Folder
{
public:
    static Result<Folder> open(const std::string &path, const std::string &device)
    {
        if (!is_name(device)) return Error{Error::Kind::invalid, "'" + device + "' is no RDMA device"};
        auto top = Dir::open(path);
        if (!top) return top.error();
        const bool made = ::mkdirat(top->fd(), device.c_str(), 0755) == 0;
        if (!made && errno != EEXIST) return sys_error(errno, path + "/" + device);
        return Folder(std::move(*top), device, made);
    }
    ~Folder()
    {
        if (made_) ::unlinkat(top_.fd(), device_.c_str(), AT_REMOVEDIR);
    }
    Folder(Folder &&other) noexcept :
        top_(std::move(other.top_)), device_(std::move(other.device_)), made_(std::exchange(other.made_, false))
    {
    }
    Folder &operator=(Folder &&) = delete;

    std::string file(unsigned port, const char *name) const
    {
        return device_ + "/ports/" + std::to_string(port) + "/" + name;
    }
    Result<std::string> read(unsigned port, const char *name) const
    {
        const auto text = top_.read(file(port, name), 64);
        return text ? Result<std::string>(std::string(trim(*text))) : text.error();
    }
    Result<void> write(unsigned port, const char *name, std::string_view value) const
    {
        const auto where = top_.path() + "/" + file(port, name);
        const UniqueFd fd(::openat(top_.fd(), file(port, name).c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW));
        if (!fd) return sys_error(errno, where);
        if (::write(fd.get(), value.data(), value.size()) < 0)
            return sys_error(errno, where + ": " + std::string(value));
        return {};
    }

private:
    Folder(Dir top, std::string device, bool made) : top_(std::move(top)), device_(std::move(device)), made_(made) {}
    Dir top_;
    std::string device_;
    bool made_;
};

constexpr const char *mode_file = "default_roce_mode", *tos_file = "default_roce_tos";

RoceValues read(const Folder &folder, unsigned port)
{
    RoceValues now;
    if (const auto mode = folder.read(port, mode_file)) now.mode = parse_kernels_roce_mode(*mode);
    if (const auto tos = folder.read(port, tos_file))
        if (const auto n = parse_decimal(*tos, 255)) now.tos = static_cast<unsigned>(*n);
    return now;
}
} // namespace

bool has_folder(const std::string &path, const std::string &device)
{
    const auto top = is_name(device) ? Dir::open(path) : Result<Dir>(Error{});
    const auto there = top ? top->exists(device) : Result<bool>(false);
    return there && *there;
}

void remove_folder(const std::string &path, const std::string &device)
{
    const auto top = is_name(device) ? Dir::open(path) : Result<Dir>(Error{});
    if (top) ::unlinkat(top->fd(), device.c_str(), AT_REMOVEDIR);
}

Result<RoceValues> read_roce(const std::string &path, const std::string &device, unsigned port)
{
    const auto folder = Folder::open(path, device);
    return folder ? Result<RoceValues>(read(*folder, port)) : folder.error();
}

Result<void> set_roce(const std::string &path, const SetRoce &step)
{
    const auto folder = Folder::open(path, step.device);
    if (!folder) return folder.error();
    const auto &to = step.to;
    if (to.mode)
        if (auto r = folder->write(step.port, mode_file, kernels(*to.mode)); !r) return r;
    if (to.tos)
        if (auto r = folder->write(step.port, tos_file, std::to_string(*to.tos)); !r) return r;
    const auto now = read(*folder, step.port);
    if ((to.mode && now.mode != to.mode) || (to.tos && now.tos != to.tos))
        return Error{Error::Kind::refused, step.device + "/" + std::to_string(step.port) +
                                               ": the RoCE values were written, and others are in effect"};
    return {};
}

} // namespace nmib
