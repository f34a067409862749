// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/base/table.hpp"
#include "cli/port/report.hpp"
#include "core/base/printable.hpp"

namespace nmib::cli
{

namespace
{
constexpr std::size_t value_column = 40; // as nmcli

struct Line {
    std::string name, value;
};

std::string upper(const std::string &text) { return Text(g_ascii_strup(text.c_str(), -1)).get(); }

/// The values of an object, a line each; "PORT.PORT" is "PORT.NAME".
void add_values(std::vector<Line> &lines, const std::string &group, const Json &object, Reasons &reasons)
{
    for (const auto &[key, value] : object.items())
        if (!value.is_structured()) {
            const auto name = upper(key);
            lines.push_back({group + "." + (group.starts_with(name) ? "NAME" : name), cell(object, key, reasons)});
        }
}

/// "0x8002 full ib0.8002"
std::string in_a_line(const Json &entry)
{
    Words values;
    for (const auto &[key, value] : entry.items()) {
        if (key == "index" || key == "number" || value.is_null()) continue;
        for (const auto &v : value.is_array() ? value : Json::array({value})) values.push_back(text_of(v));
    }
    return join(values, " ");
}

std::vector<Line> lines_of(const Json &hca, const Json &port, Reasons &reasons)
{
    std::vector<Line> lines;
    add_values(lines, "HCA", hca, reasons);
    for (const auto &f : hca["virtual_functions"])
        lines.push_back({form("HCA.VF[%s]", text_of(f["number"]).c_str()), in_a_line(f)});
    add_values(lines, "PORT", port, reasons);
    for (std::size_t i = 0; i < port["interfaces"].size(); i++)
        add_values(lines, form("INTERFACE[%zu]", i + 1), port["interfaces"][i], reasons);
    for (const auto &[key, group] : {std::pair("p_keys", "P_KEY"), {"gids", "GID"}})
        for (const auto &entry : port[key])
            lines.push_back({form("%s[%s]", group, text_of(entry["index"]).c_str()), in_a_line(entry)});
    return lines;
}

/// "INTERFACE[1].MTU" is meant by itself, by "INTERFACE.MTU", by "INTERFACE[1]" and by "INTERFACE".
bool is_chosen(const std::string &name, const std::string &field)
{
    const auto same = [&](const std::string &text) { return g_ascii_strcasecmp(text.c_str(), field.c_str()) == 0; };
    const auto open = name.find('['), close = name.find(']');
    const auto plain = open == name.npos ? name : name.substr(0, open) + name.substr(close + 1);
    return same(name) || same(plain) || same(name.substr(0, name.find('.'))) || same(plain.substr(0, plain.find('.')));
}

Result<std::vector<Line>> chosen(std::vector<Line> lines, const std::string &fields)
{
    if (fields == "all" || fields == "common") return lines;
    std::vector<Line> some;
    for (const auto &field : cut(fields, ",")) {
        const auto before = some.size();
        for (const auto &line : lines)
            if (is_chosen(line.name, field)) some.push_back(line);
        const bool may_be_none = is_chosen("INTERFACE", field.substr(0, 9)) || is_chosen("P_KEY", field) ||
                                 is_chosen("GID", field) || is_chosen("HCA.VF", field);
        if (some.size() == before && !may_be_none)
            return bad(form(nm("invalid field '%s'; allowed fields: %s"), printable(field).c_str(),
                            "HCA,PORT,INTERFACE,P_KEY,GID"));
    }
    return some;
}
} // namespace

Result<std::string> details_of(const Options &options, const Json &all, Reasons &reasons)
{
    std::string text;
    for (const auto &port : all["ports"]) {
        const auto hca = std::find_if(all["hcas"].begin(), all["hcas"].end(),
                                      [&](const Json &h) { return h["name"] == port["hca"]; });
        const auto lines = chosen(lines_of(*hca, port, reasons), options.fields.value_or("all"));
        if (!lines) return lines.error();
        if (!text.empty()) text += "\n";
        const bool terse = options.print == Options::Print::terse;
        for (const auto &[name, value] : *lines) {
            if (terse && !options.multiline.value_or(true)) // -g: values alone
                text += value + "\n";
            else
                text += padded(name + ":", terse ? 0 : value_column) + (value.empty() && !terse ? "--" : value) + "\n";
        }
    }
    return text;
}

} // namespace nmib::cli
