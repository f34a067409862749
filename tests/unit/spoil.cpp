// SPDX-License-Identifier: LGPL-2.1-or-later
#include "spoil.hpp"

namespace nmib::test
{

const std::vector<Spoil> spoils = {
    {"missing", [](const Tree &t, const std::string &w) { t.remove(w); }},
    {"empty", [](const Tree &t, const std::string &w) { t.file(w, ""); }},
    {"newline", [](const Tree &t, const std::string &w) { t.file(w, "\n"); }},
    {"directory",
     [](const Tree &t, const std::string &w) {
         t.remove(w);
         t.dir(w);
     }},
    {"fifo", [](const Tree &t, const std::string &w) { t.fifo(w); }},
    {"huge", [](const Tree &t, const std::string &w) { t.sparse(w, off_t{4} << 30); }},
    {"long line", [](const Tree &t, const std::string &w) { t.file(w, std::string(5000, '1')); }},
    {"NUL", [](const Tree &t, const std::string &w) { t.file(w, std::string_view("1\0002", 3)); }},
    {"only NUL", [](const Tree &t, const std::string &w) { t.file(w, std::string(64, '\0')); }},
    {"CR LF", [](const Tree &t, const std::string &w) { t.file(w, "worse\r\n"); }},
    {"not a number", [](const Tree &t, const std::string &w) { t.file(w, "none\n"); }},
    {"negative", [](const Tree &t, const std::string &w) { t.file(w, "-1\n"); }},
    {"too large", [](const Tree &t, const std::string &w) { t.file(w, "99999999999999999999999\n"); }},
    {"bytes", [](const Tree &t, const std::string &w) { t.file(w, "\xff\xfe\x80\n"); }},
    {"two numbers", [](const Tree &t, const std::string &w) { t.file(w, "1 2\n"); }},
    {"link to itself", [](const Tree &t, const std::string &w) { t.link(w, w.substr(w.rfind('/') + 1)); }},
    {"link to nothing", [](const Tree &t, const std::string &w) { t.link(w, "nothing/here"); }},
    {"link out of the tree", [](const Tree &t, const std::string &w) { t.link(w, "/etc/hostname"); }},
    {"link above the tree", [](const Tree &t, const std::string &w) { t.link(w, "../../../../../../../../../etc"); }},
    {"magic link", [](const Tree &t, const std::string &w) { t.link(w, "/proc/self/fd/0"); }},
};

} // namespace nmib::test
