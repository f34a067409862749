// SPDX-License-Identifier: LGPL-2.1-or-later
/// What nmcli knows of a profile's settings and properties beyond what libnm's introspection tells: a property is a
/// row, a setting a group of rows. The order is nmcli's; it is what lists and error messages show.
#pragma once
#include "cli/base/version.hpp"
#include "cli/base/words.hpp"
#include "cli/daemon/names.hpp"

#include <NetworkManager.h>
#include <cstdint>
#include <functional>
#include <string>

namespace nmib::cli
{

/// `name value`, `+name value`, `-name value`.
enum class Op { set, add, remove };
/// For people ("0 (default)") or for scripts ("0").
enum class Style { pretty, parsable };

/// What a property may need to know of the world.
struct Surroundings {
    bool offline = false;
    /// The other profiles; asked only when a word needs them.
    std::function<const Names &()> others{};
    std::function<void(std::string)> say{};  ///< a line that nmcli prints on the way
    std::function<void(std::string)> tell{}; ///< a line of ours
};

struct Row;

/// How the values of a kind of property are read and written.
struct Kind {
    /// `value` is null to reset to the default. Null function: nobody may change it.
    Result<void> (*set)(const Row &, NMSetting *, Op, const char *value, const Surroundings &) = nullptr;
    std::string (*get)(const Row &, NMSetting *, Style) = nullptr;
    bool removes = false; ///< `-name value` means something; on others it is silently nothing
};

/// A number or an enum value that has a name of nmcli's.
struct Nick {
    std::int64_t value;
    const char *nick;
};

/// A property that is a list of strings.
struct ListOps {
    std::size_t (*count)(NMSetting *);
    void (*add)(NMSetting *, const char *item);
    void (*remove_index)(NMSetting *, std::size_t index);
    void (*remove_value)(NMSetting *, const char *item);
    void (*clear)(NMSetting *, bool to_empty) = nullptr; ///< for lists that tell empty from unset
    Result<void> (*check)(const std::string &item) = nullptr;
    bool escaped = false; ///< a backslash protects a separator
};

/// A property that is a list of objects.
struct ObjectOps {
    std::size_t (*count)(NMSetting *);
    void (*clear)(NMSetting *);
    std::string (*text)(NMSetting *, std::size_t index, Style);
    Result<void> (*put)(NMSetting *, bool add, const std::string &item);
    void (*remove_index)(NMSetting *, std::size_t index) = nullptr;
    bool escaped = false;
    const char *between_pretty = ", ";
};

/// How nmcli's alias is asked for and handled.
enum RowFlag : unsigned {
    dont_ask = 1, ///< not part of the --ask dialogue
    multi = 2,    ///< the alias adds a value each time it is given
    renewed = 4,  ///< left to an nmcli that is not known: of this name it may have another property, or other words
};

struct Row {
    const char *name; ///< libnm's
    const Kind *kind;
    const char *alias = nullptr;
    unsigned flags = 0;
    const char *prompt = nullptr;
    const char *hint = nullptr;     ///< shown in the prompt instead of the present value
    Choices choices{};              ///< the only words allowed
    std::span<const Nick> nicks{};  ///< names for numbers, shown unless it is an enum
    unsigned base = 10;             ///< of numbers; 16 is shown with 0x, unless it is negative
    std::span<const Nick> shown{};  ///< names that an enum is shown by instead of libnm's
    GType (*enum_type)() = nullptr; ///< for integers that are enums
    bool enum_text = false;         ///< shown as its name only
    const ListOps *list = nullptr;
    const ObjectOps *objects = nullptr;
    bool hide_default = false;       ///< not shown when it has its default value
    const char *user_name = nullptr; ///< nmcli's, where that is another one than libnm's
    unsigned since = 0;              ///< the first version() that has it
    unsigned until = G_MAXUINT;      ///< the first version() that has it no more

    const char *title() const { return user_name ? user_name : name; }
};
/// A property that came with NetworkManager 1.`minor`. our headers may be older.
constexpr Row newer(unsigned minor, Row row)
{
    row.since = version(minor);
    row.flags |= renewed;
    return row;
}

struct Group {
    const char *name;
    const char *pretty_name;
    GType (*type)();
    std::span<const Row> all_rows;
    void (*init)(NMSetting *) = nullptr; ///< what nmcli sets in a new one
    unsigned since = 0;

    /// Those that this machine's NetworkManager has.
    std::vector<const Row *> rows() const;
};

/// Every group that an InfiniBand profile has with this machine's NetworkManager, in NetworkManager's order of settings
/// (for aliases and dialogues).
std::span<const Group *const> groups();
const Group *find_group(std::string_view name);
/// By nmcli's name.
const Row *find_row(const Group &group, std::string_view title);
/// A new setting with nmcli's initial values.
NMSetting *new_setting(const Group &group);

/// A setting a profile may have, and whether it must.
struct Part {
    const Group *group;
    bool mandatory;
};
/// Those of a profile of `type` (null: not known yet) that is a port of a `slave_type` (or null), in nmcli's order.
/// Nothing for a combination that is left to nmcli.
std::optional<std::vector<Part>> parts(const char *type, const char *slave_type);

Result<void> set_property(const Row &row, NMSetting *setting, Op op, const char *value, const Surroundings &around);

} // namespace nmib::cli
